/** Statements of one file that ask more machines than that of one organization for rows of a table, and why. The list may only shrink. */
export interface ManyShards {
  readonly sender: string
  readonly tables: readonly string[]
  readonly reason: string
}

export const manyShards: readonly ManyShards[] = [
  {
    sender: 'access/received-invitations.ts',
    tables: ['invitations'],
    reason: 'a sign-in asks which organizations invited the address',
  },
  {
    sender: 'access/sign-in.ts',
    tables: ['memberships'],
    reason: 'who signs in is told every organization of theirs',
  },
  {
    sender: 'families/intelligence/alerts/messages/message-dispatcher.ts',
    tables: ['alert_messages'],
    reason: 'the dispatcher looks for messages that are due, whoever they are of',
  },
  {
    sender: 'families/intelligence/venues/evaluate-venues.ts',
    tables: ['venue_spans', 'venue_spans_filled'],
    reason: 'a sweep looks for observations without a row or a verdict, whoever they are of',
  },
  {
    sender: 'families/intelligence/venues/points/fill-points.ts',
    tables: ['market_points_due', 'venue_spans'],
    reason: 'a sweep looks for days whose market points are due, whoever they are of',
  },
  {
    sender: 'families/platform/partners/consents/grant-row.ts',
    tables: ['partner_grants'],
    reason: 'a partner is shown what issuers in other organizations consent to',
  },
  {
    sender: 'families/platform/service/getOperatingSystemStatus.ts',
    tables: ['jobs', 'webhook_deliveries'],
    reason: 'the status of the deployment counts what waits in its queues',
  },
  {
    sender: 'families/prove/proof/listProofV2.ts',
    tables: ['log_leaves'],
    reason: 'which events of the organization the log holds is asked of the log, on its machine',
  },
  {
    sender: 'families/prove/proof/log-store.ts',
    tables: ['events', 'log_state'],
    reason: 'one log holds the events of all organizations, and says how many are not in it yet',
  },
  {
    sender: 'families/prove/proof/sequence-events.ts',
    tables: ['events', 'log_state'],
    reason: 'one log takes in the events of all organizations in the order of their commits',
  },
  {
    sender: 'history/verify-history.ts',
    tables: ['idempotency', 'jobs', 'memberships'],
    reason: 'a walk of the whole history finds organizations whose own row is gone',
  },
  {
    sender: 'jobs/job-queue.ts',
    tables: ['jobs'],
    reason:
      'the queue takes jobs of all organizations in turn, and finds those whose worker is gone',
  },
  {
    sender: 'jobs/purge.ts',
    tables: [
      ...[
        'alert_firings',
        'alert_messages',
        'budgets',
        'idempotency',
        'invitations',
        'jobs',
        'market_points',
        'provider_minutes',
        'study_batches',
        'study_grounds',
      ],
      ...['webhook_attempts', 'webhook_deliveries'],
    ],
    reason: 'the purge removes by age what has served its time, whoever it is of',
  },
  {
    sender: 'jobs/schedules.ts',
    tables: ['jobs', 'record_heads'],
    reason: 'the walk over the schedules finds what is due of all organizations at once',
  },
  {
    sender: 'integrations/webhooks/webhook-dispatcher.ts',
    tables: ['webhook_deliveries', 'webhook_subscriptions'],
    reason: 'the dispatcher looks for deliveries that are due, the organizations and hosts in turn',
  },
]
