const minute = 60_000

/** Every limit of the service, in one place; units are in the names. */
export const limits = {
  bodyBytes: 1024 * 1024,
  publicBodyBytes: 2048,
  bodyNesting: 64,
  fieldErrors: 50,
  /** Parts of a body up to which every error in it is told, and not only the first. */
  explainedParts: 2_000,
  urlBytes: 8192,
  /** For a request to arrive, and for the next to follow; longer than load balancers keep a connection. */
  requestMilliseconds: minute,
  keepAliveMilliseconds: 72_000,
  organizationIdCharacters: 160,
  pathParameterCharacters: 500,
  /** Of a text in a body beside the contract. */
  textMemberCharacters: 300,

  databaseConnections: 10,
  databaseConnectMilliseconds: 5_000,
  databaseQueryMilliseconds: 30_000,

  /** Changes that share one transaction, and their size. */
  commitGroupChanges: 128,
  commitGroupBytes: 4 * 1024 * 1024,
  readGroupRequests: 128,
  /** While the database writes one transaction, it can parse the next. */
  commitsSideBySide: 2,
  /** Messages of one kind that may be on their way, and after how long one counts as late. */
  commitsInFlight: 4,
  readsInFlight: 4,
  messagePatienceMilliseconds: 20,
  /** How long listeners wait to hear of what was committed. */
  announceMilliseconds: 100,
  contentionAttempts: 6,
  /** How long a caller's next mutation may leave it to its own transaction to ask who it is. */
  knownCallerMilliseconds: 5_000,
  knownCallers: 20_000,
  /** Idempotency keys that are remembered as answered. */
  answeredKeys: 20_000,
  /** Addresses whose one form is remembered. */
  knownAddresses: 10_000,

  recentAuthenticationMilliseconds: 10 * minute,
  signInLinkMilliseconds: 15 * minute,
  signInLinksPerAddressPerHour: 5,
  signInLinksPerClientPerHour: 20,
  accessTokenSeconds: 3600,
  budgetWindowSeconds: 900,
  publicRequestsPerMinute: 120,

  workersStartMilliseconds: 50,
  /** Jobs that one process runs at a time; their computing shares the threads for it. */
  jobsAtOnce: 3,
  jobAttempts: 3,
  /** How often a worker says that it is alive and asks whether its job is still wanted. */
  jobWatchMilliseconds: 2_000,
  jobHeartbeatSeconds: 30,
  jobPollMilliseconds: 2_000,
  /** Server-sent events of jobs: how often the database is looked at and the session again, and how many there may be. */
  jobStreamMilliseconds: 500,
  jobStreamCheckMilliseconds: 2_000,
  jobStreamRetryMilliseconds: 2_000,
  jobStreamKeptMilliseconds: minute,
  jobStreamJobs: 200,
  jobStreamBufferBytes: 1024 * 1024,
  jobStreams: 500,
  artifactPartBytes: 512 * 1024,

  webhookTimeoutMilliseconds: 15_000,
  webhookAnswerBytes: 1024,
  webhookSecretOverlapMilliseconds: 24 * 60 * minute,
  webhookFailingDays: 5,
  webhookDispatchMilliseconds: 1_000,
  webhookBatch: 50,

  outboundTimeoutMilliseconds: 15_000,
  outboundAnswerBytes: 32 * 1024 * 1024,

  /** All that the validation of a venue asks of the chain: a request waits for it. */
  venueValidationMilliseconds: minute,

  shutdownMilliseconds: 15_000,
  /** How long an allocation plan is valid: the pools move on. */
  allocationPlanMilliseconds: 6 * 60 * minute,
  /** Work of a study, milliseconds of one core as estimated: answered at once, in the sandbox, and at all. */
  interactiveStudyMilliseconds: 1_500,
  sandboxMilliseconds: 3_000,
  studyMilliseconds: 4 * 10 * minute,
  /** Paths of a study that are run again for a comparison with what happened: asked for, and by the sweep. */
  divergenceMilliseconds: 10_000,
  sweptDivergenceMilliseconds: 2 * minute,
  studyEvents: 2_000_000,
  /** Events of the observations that a score is measured from, over all of its venues: somebody waits for it. */
  scoreEvents: 400_000,
  /** One observation ends with the chunk in which either is reached, and the next begins. */
  observationEvents: 50_000,
  observationBlocks: 200_000,
  /** Samples of a replay over all of its runs; each is a row that is kept. */
  studySamples: 1_000_000,
  /** Pools of one fill, and how far back the last event of a pool is looked for. */
  attributionLegs: 16,
  attributionLookBackBlocks: 10_000,
  /** What the square-root law may be measured on: blocks and logs of a day. */
  attributionDayBlocks: 50_000,
  attributionDayLogs: 50_000,
  attributionLogChunkBlocks: 2_000,
  /** Swaps of one block on one pool whose transactions are read for sandwiches. */
  attributionBlockSwaps: 200,
  /** Of a program: queries for what its distributors sent, and transfers of which each needs the time of its block. */
  incentiveLogChunks: 25_000,
  incentiveTransfers: 50_000,
  /** Memory for the samples of all paths of a study. */
  sandboxSampleBytes: 64 * 1024 * 1024,
  studySampleBytes: 512 * 1024 * 1024,

  /** Steps of a migration plan, and how old the block may be on which it is simulated. */
  migrationSteps: 400,
  migrationBlockSeconds: 600,
  /** The finalized tag is three epochs behind at most. */
  migrationFinalityLagSeconds: 1_200,
  /** The way back may be walked for as long. */
  migrationBackSeconds: 7 * 24 * 3600,
  migrationTwapSeconds: 1_800,
  /** Blocks of a soak at which its stop rules are looked at. */
  migrationSoakBlocks: 5,
} as const
