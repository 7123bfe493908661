export const audit = {
  'person.erase': 'person',
  'person.export': 'person',
  'report.expire': 'retention',
  'retention.set': 'retention',
} as const;
