export const audit = {
  'home-app.create': 'home-app',
  'home-app.delete': 'home-app',
  'home-app.update': 'home-app',
  'home-order.update': 'home-order',
} as const;
