import type { WebhookEvent, WebhookLanguage } from '#features/webhooks/contract/webhooks.ts';

/** What `flag.changed` tells of. */
export const flagChanges = ['create', 'update', 'on', 'off', 'ramp', 'archive', 'unarchive'] as const;
export type FlagChange = (typeof flagChanges)[number];

/** The words of the messages that people read in a chat or on a pager. */
type MessageWords = {
  titles: Record<Exclude<WebhookEvent, 'maintenance.switched'>, string>;
  /** By the mode that is set now; `notice`: none, and there is a text for everyone. */
  switched: Record<'off' | 'read-only' | 'full' | 'notice', string>;
  statuses: Record<string, string>;
  /** What was done to a flag. */
  flag: Record<FlagChange, string>;
  report(number: number): string;
  often(events: number, minutes: number): string;
  more(count: number): string;
  open: string;
};

export const messageWords: Record<WebhookLanguage, MessageWords> = {
  en: {
    titles: {
      'maintenance.scheduled': 'Maintenance planned',
      'maintenance.imminent': 'Maintenance starts soon',
      'maintenance.active': 'Maintenance started',
      'maintenance.overdue': 'Maintenance overdue',
      'maintenance.ended': 'Maintenance ended',
      'maintenance.cancelled': 'Maintenance cancelled',
      'maintenance.changed': 'Maintenance plan changed',
      'maintenance.held-open': 'Maintenance overridden by a file',
      'maintenance.let-go': 'File that overrode maintenance removed',
      'diagnostics.error-new': 'New error',
      'diagnostics.error-returned': 'Error happened again',
      'diagnostics.error-rate': 'Error happens often',
      'report.created': 'Report received',
      'report.replied': 'Reply to a report',
      'report.changed': 'Status of a report changed',
      'flag.changed': 'Flag changed',
      'flag.proposal': 'Review of a flag',
      'flag.held': 'Errors increased, ramp taken back',
      'webhook.test': 'Test message',
    },
    switched: {
      off: 'Maintenance is off',
      notice: 'Notice for everyone',
      'read-only': 'Maintenance: read-only now',
      full: 'Maintenance: closed now',
    },
    statuses: {
      new: 'New',
      triaged: 'Triaged',
      'in-progress': 'In progress',
      resolved: 'Resolved',
      closed: 'Closed',
      duplicate: 'Duplicate',
      spam: 'Spam',
      waiting: 'Waits for a review',
      approved: 'Approved',
      declined: 'Changes asked for',
    },
    flag: {
      create: 'Created',
      update: 'Edited',
      on: 'Turned on',
      off: 'Turned off',
      ramp: 'Ramp paused, resumed or ended',
      archive: 'Archived, and off',
      unarchive: 'Taken back from the archive, off',
    },
    report: (number) => `Report ${number}`,
    often: (events, minutes) => `At least ${events} times within ${minutes} minutes`,
    more: (count) => `And ${count} more`,
    open: 'Open',
  },
  de: {
    titles: {
      'maintenance.scheduled': 'Wartung geplant',
      'maintenance.imminent': 'Wartung beginnt bald',
      'maintenance.active': 'Wartung hat begonnen',
      'maintenance.overdue': 'Wartung überfällig',
      'maintenance.ended': 'Wartung beendet',
      'maintenance.cancelled': 'Wartung abgesagt',
      'maintenance.changed': 'Wartungsplan geändert',
      'maintenance.held-open': 'Wartung durch eine Datei aufgehoben',
      'maintenance.let-go': 'Datei entfernt, die die Wartung aufhob',
      'diagnostics.error-new': 'Neuer Fehler',
      'diagnostics.error-returned': 'Fehler wieder aufgetreten',
      'diagnostics.error-rate': 'Fehler tritt oft auf',
      'report.created': 'Meldung eingegangen',
      'report.replied': 'Antwort auf eine Meldung',
      'report.changed': 'Status einer Meldung geändert',
      'flag.changed': 'Flag geändert',
      'flag.proposal': 'Prüfung eines Flags',
      'flag.held': 'Fehler nahmen zu, Rampe zurückgenommen',
      'webhook.test': 'Testnachricht',
    },
    switched: {
      off: 'Wartung ist aus',
      notice: 'Hinweis für alle',
      'read-only': 'Wartung: ab jetzt nur lesen',
      full: 'Wartung: ab jetzt geschlossen',
    },
    statuses: {
      new: 'Neu',
      triaged: 'Gesichtet',
      'in-progress': 'In Arbeit',
      resolved: 'Gelöst',
      closed: 'Geschlossen',
      duplicate: 'Duplikat',
      spam: 'Spam',
      waiting: 'Wartet auf Prüfung',
      approved: 'Freigegeben',
      declined: 'Änderungen erbeten',
    },
    flag: {
      create: 'Angelegt',
      update: 'Bearbeitet',
      on: 'Eingeschaltet',
      off: 'Ausgeschaltet',
      ramp: 'Rampe angehalten, fortgesetzt oder beendet',
      archive: 'Archiviert und aus',
      unarchive: 'Aus dem Archiv zurückgeholt, aus',
    },
    report: (number) => `Meldung ${number}`,
    often: (events, minutes) => `Mindestens ${events}-mal innerhalb von ${minutes} Minuten`,
    more: (count) => `Und ${count} weitere`,
    open: 'Öffnen',
  },
  fr: {
    titles: {
      'maintenance.scheduled': 'Maintenance planifiée',
      'maintenance.imminent': 'La maintenance commence bientôt',
      'maintenance.active': 'Maintenance commencée',
      'maintenance.overdue': 'Maintenance en retard',
      'maintenance.ended': 'Maintenance terminée',
      'maintenance.cancelled': 'Maintenance annulée',
      'maintenance.changed': 'Plan de maintenance modifié',
      'maintenance.held-open': 'Maintenance levée par un fichier',
      'maintenance.let-go': 'Fichier qui levait la maintenance supprimé',
      'diagnostics.error-new': 'Nouvelle erreur',
      'diagnostics.error-returned': 'Une erreur est réapparue',
      'diagnostics.error-rate': 'Une erreur revient souvent',
      'report.created': 'Signalement reçu',
      'report.replied': 'Réponse à un signalement',
      'report.changed': 'Statut d’un signalement modifié',
      'flag.changed': 'Flag modifié',
      'flag.proposal': 'Relecture d’un flag',
      'flag.held': 'Erreurs en hausse, progression reculée',
      'webhook.test': 'Message de test',
    },
    switched: {
      off: 'La maintenance est désactivée',
      notice: 'Avis pour tous',
      'read-only': 'Maintenance : lecture seule dès maintenant',
      full: 'Maintenance : fermé dès maintenant',
    },
    statuses: {
      new: 'Nouveau',
      triaged: 'Examiné',
      'in-progress': 'En cours',
      resolved: 'Résolu',
      closed: 'Fermé',
      duplicate: 'Doublon',
      spam: 'Spam',
      waiting: 'En attente de relecture',
      approved: 'Approuvé',
      declined: 'Modifications demandées',
    },
    flag: {
      create: 'Créé',
      update: 'Modifié',
      on: 'Activé',
      off: 'Désactivé',
      ramp: 'Progression suspendue, reprise ou terminée',
      archive: 'Archivé et désactivé',
      unarchive: 'Repris des archives, désactivé',
    },
    report: (number) => `Signalement ${number}`,
    often: (events, minutes) => `Au moins ${events} fois en ${minutes} minutes`,
    more: (count) => `Et ${count} de plus`,
    open: 'Ouvrir',
  },
};
