export const audit = {
  'webhook.create': 'webhook',
  'webhook.delete': 'webhook',
  'webhook.redeliver': 'webhook',
  'webhook.redeliver-all': 'webhook',
  'webhook.test': 'webhook',
  'webhook.update': 'webhook',
} as const;
