import {
  dayMilliseconds,
  daySeconds,
  hourMilliseconds,
  hourSeconds,
  minuteMilliseconds,
  minuteSeconds,
  secondMilliseconds,
  weekSeconds,
} from './units.ts'

/** All limits of the service, grouped by module; units are in the names. */
export const limits = {
  // http: requests and their contents.
  bodyBytes: 1024 * 1024,
  publicBodyBytes: 2048,
  /** Body limit without a cookie or credential. */
  anonymousBodyBytes: 64 * 1024,
  bodyNesting: 64,
  /** Members and items of a body, all together: the event loop is held while they are built. */
  bodyParts: 20_000,
  fieldErrors: 50,
  /** Maximum body size, in parts, for reporting all errors rather than the first. */
  explainedParts: 2_000,
  urlBytes: 8192,
  /**
   * Time to receive a request, and idle time of a connection; longer than the idle time of load
   * balancers.
   */
  requestMilliseconds: minuteMilliseconds,
  keepAliveMilliseconds: 72_000,
  shutdownMilliseconds: 15_000,
  /** Free disk space that an embedded database needs to accept changes: four log segments. */
  diskReserveBytes: 64 * 1024 * 1024,
  /** For an embedded database to close. */
  databaseCloseMilliseconds: 5_000,
  /** For a trial whether the database takes changes. */
  writableTrialMilliseconds: 20_000,
  /** Duration for which the result of a database write test is reused. */
  writableMilliseconds: 5_000,
  /** At most, between two attempts to reach a database that is away. */
  databaseWaitMilliseconds: 5_000,
  /** Time a stopping node continues to serve, so that its load balancer notices first. */
  drainSeconds: 10,
  drainSecondsMaximum: 300,
  /** Interval for closing idle connections during shutdown. */
  idleConnectionsMilliseconds: 50,
  organizationIdCharacters: 160,
  pathParameterCharacters: 500,
  /** Rows of one exported file. */
  exportRows: 50_000,
  /** Records of an exported list, as JSON; a thread parses all of them at once. */
  exportBytes: 32 * 1024 * 1024,
  /** Records of a list that one step of an export reads. */
  exportPage: 200,
  /** Maximum text length in a body outside the contract. */
  textMemberCharacters: 300,

  // store: the database and its caches.
  databaseConnections: 10,
  /** Maximum concurrent reads whose cost grows with an organization's data. */
  databaseHeavyReads: 3,
  /** Organizations whose counts of records a process remembers, some 2 kB each. */
  countedOrganizations: 1_000,
  databaseConnectMilliseconds: 5_000,
  databaseQueryMilliseconds: 30_000,
  databaseStatementMilliseconds: 29_000,
  /** For a message that failed for reasons of the moment. */
  databaseAttempts: 4,
  /** Changes that share one transaction, and their size. */
  commitGroupChanges: 128,
  commitGroupBytes: 4 * 1024 * 1024,
  readGroupRequests: 128,
  /** While the database writes one transaction, it can parse the next. */
  commitsSideBySide: 2,
  /** Maximum messages of one kind in flight, and the age at which one counts as late. */
  commitsInFlight: 4,
  readsInFlight: 4,
  messagePatienceMilliseconds: 20,
  /** Maximum delay before listeners learn of a commit. */
  announceMilliseconds: 100,
  contentionAttempts: 6,
  /** Cache of verified stored texts, about 20 MB at most. */
  verifiedTexts: 10_000,
  artifactPartBytes: 512 * 1024,
  /**
   * Cache of observation events per process, for the next reader: four observations of 74,000
   * events.
   */
  artifactCacheBytes: 128 * 1024 * 1024,
  /** Interval for reporting usage and reading totals. The quota can be exceeded in between. */
  usageMilliseconds: 5 * secondMilliseconds,
  /**
   * Interval for finding organizations to measure, number per turn, and maximum measurement age.
   */
  usageSweepMilliseconds: minuteMilliseconds,
  usageMeasuredAtOnce: 100,
  /**
   * Rows per table in one measuring query, and queries per organization before the next one's turn.
   */
  usagePartRows: 50_000,
  usagePartsAtOnce: 30,
  /** Number of organizations in usage metrics, closest to their quota first. */
  usageObserved: 10,
  usageMeasuredMilliseconds: dayMilliseconds,
  /** Measurement age limit over quota; shorter because deleted data may have freed space. */
  usageRefusedMeasuredMilliseconds: hourMilliseconds,

  // access: identity of the caller, and rate limits.
  /** Window in which a caller's next mutation may verify the caller inside its own transaction. */
  knownCallerMilliseconds: 5_000,
  knownCallers: 20_000,
  /** Idempotency keys that are remembered as answered. */
  answeredKeys: 20_000,
  /** Addresses whose one form is remembered. */
  knownAddresses: 10_000,
  recentAuthenticationMilliseconds: 10 * minuteMilliseconds,
  signInLinkMilliseconds: 15 * minuteMilliseconds,
  passkeysOfUser: 20,
  passkeyChallengeMilliseconds: 5 * minuteMilliseconds,
  passkeyBodyBytes: 32 * 1024,
  /** Per user; each change sends an email. */
  passkeyChangesPerHour: 40,
  passkeyAssertionsPerHour: 240,
  /** Links to one address: for a browser that signed in with it, or for each client that has not. */
  signInLinksPerAskerPerHour: 5,
  /** Sign-in links per address for unknown clients; after that, one per further client. */
  signInLinksOfStrangersPerHour: 20,
  signInLinksPerClientPerHour: 20,
  knownBrowserMilliseconds: 180 * dayMilliseconds,
  /**
   * Invitation emails: per address across organizations, per organization, and per inviting owner.
   */
  invitationsPerAddressPerHour: 5,
  invitationsPerOrganizationPerHour: 20,
  invitationsPerOrganizationPerDay: 100,
  invitationsPerOwnerPerHour: 20,
  invitationsPerOwnerPerDay: 100,
  invitationMilliseconds: 7 * dayMilliseconds,
  /** Removals that an owner can list, newest first. */
  memberRemovalsListed: 100,
  /** Changes of members that an owner can list, newest first. */
  memberChangesListed: 200,
  /** Shortest reason of a change of a member. */
  memberReasonCharacters: 3,
  accessTokenSeconds: hourSeconds,
  budgetWindowSeconds: 15 * minuteSeconds,
  publicRequestsPerMinute: 120,
  sessionRequestsPerMinute: 1_200,
  /**
   * Bounds memory under a flood of addresses. Evicted counts are restored from the database at the
   * next report.
   */
  publicClients: 50_000,
  /** Clients whose counts are reported in one statement. */
  reportedPublicClients: 1_000,
  /**
   * Upstream calls for public requests in total: concurrent, queued, wait time, and limits per
   * call.
   */
  publicUpstreamAtOnce: 4,
  publicUpstreamWaiting: 64,
  publicUpstreamWaitMilliseconds: 2_000,
  publicUpstreamTries: 2,
  publicUpstreamBytes: 2 * 1024 * 1024,
  publicUpstreamBatch: 50,
  /** Total time for a public response. A single upstream request may use 5/16 of it (2.5 s). */
  publicReadMilliseconds: 8_000,
  /** Cache time of a public result, number of cached results, and lifetime of its hash. */
  publicReadingLifetimeMilliseconds: minuteMilliseconds,
  publicReadings: 512,
  publicHeadLifetimeMilliseconds: 12_000,
  publicAnswerLifetimeMilliseconds: 10 * minuteMilliseconds,
  publicChainsFileBytes: 64 * 1024,
  publicPools: 20,
  /** Results of a public search over all pages. */
  publicSearchResults: 2_000,
  /** Tokens of one response of a market data provider. */
  publicListedTokens: 60,
  /** Tokens outside the catalog that the service stores. */
  discoveredTokens: 100_000,
  /** Market data providers of public discovery. */
  publicMarketData: 4,
  /** Time without requests after a failure of a market data provider. */
  marketDataRestMilliseconds: 10 * secondMilliseconds,
  /** A token that no provider lists any more keeps its public id for this time. */
  discoveredTokenMilliseconds: 30 * dayMilliseconds,
  /** Maximum tokens that an organization tracks, and their read interval. */
  savedProjects: 200,
  projectRefreshMilliseconds: minuteMilliseconds,
  workflowRunsPerDay: 50,

  // outside: webhooks, mail, providers and chains.
  webhookTimeoutMilliseconds: 15_000,
  webhookAnswerBytes: 1024,
  webhookSecretOverlapMilliseconds: dayMilliseconds,
  webhookFailingMilliseconds: 5 * dayMilliseconds,
  webhookDispatchMilliseconds: 1_000,
  webhookBatch: 50,
  webhookBatchPerReceiver: 8,
  /** Concurrent deliveries per organization, across all its receivers. */
  webhookBatchPerOrganization: 16,
  /** Concurrent deliveries per host across subscribers; equals the connections per host. */
  webhookBatchPerHost: 16,
  /** Delay before the service checks a delivery of an inactive subscription again. */
  webhookPausedMilliseconds: 5 * minuteMilliseconds,
  /** Held deliveries of a paused subscription: maximum age and number. */
  webhookHeldMilliseconds: 7 * dayMilliseconds,
  webhookHeldDeliveries: 10_000,
  /** Deliveries of a subscription that are listed, newest first. */
  webhookDeliveriesListed: 100,
  /** The longest window whose events are sent again. */
  webhookReplayMilliseconds: 30 * dayMilliseconds,
  /** Events that one request for a kind looks through. */
  eventsScanned: 2_000,
  mailTimeoutMilliseconds: 20_000,
  /** Length of an SMTP address, and of third-party text in an email. */
  mailAddressCharacters: 254,
  mailLineCharacters: 200,
  outboundTimeoutMilliseconds: 15_000,
  outboundAnswerBytes: 32 * 1024 * 1024,
  outboundConnectionsPerHost: 16,
  /** Response size limit by method. Batches are limited to the sum, up to the general maximum. */
  chainAnswerBytes: {
    eth_call: 4 * 1024 * 1024,
    eth_createAccessList: 1024 * 1024,
    eth_getBlockByHash: 4 * 1024 * 1024,
    eth_getBlockByNumber: 4 * 1024 * 1024,
    eth_getCode: 1024 * 1024,
    eth_getLogs: 32 * 1024 * 1024,
    eth_getProof: 1024 * 1024,
    eth_getTransactionByHash: 4 * 1024 * 1024,
    eth_getTransactionReceipt: 8 * 1024 * 1024,
    eth_simulateV1: 8 * 1024 * 1024,
    debug_traceCall: 8 * 1024 * 1024,
  },
  /** Response size for other methods, and limits for every response. */
  chainAnswerOtherBytes: 64 * 1024,
  chainAnswerNesting: 16,
  chainAnswerMembers: 2_000_000,
  /** Logs of one range; a wider one is halved. */
  chainAnswerLogs: 20_000,
  /** Bytes parsed, and items processed, per event loop turn. */
  chainAnswerPieceBytes: 128 * 1024,
  chainAnswerPieceItems: 500,
  /** Chain provider timeout: default, and configurable range. */
  providerTimeoutMilliseconds: 10_000,
  providerTimeoutLeastMilliseconds: 100,
  providerTimeoutMostMilliseconds: minuteMilliseconds,
  providerConfirmations: 100_000,
  providerVersionCharacters: 100,
  providerTextCharacters: 200,
  nodeMinutesRetentionMilliseconds: 90 * dayMilliseconds,
  /** Nesting, and fields and items all together, of one JSON answer of a feed, a quote source, a model or an identity provider. */
  answerNesting: 16,
  answerParts: 20_000,
  /** Response size of an identity provider. */
  identityAnswerBytes: 256 * 1024,
  /** HTTP price feed: timeout, response size, candles per request, and allowed clock skew. */
  feedMilliseconds: 5_000,
  feedAnswerBytes: 1024 * 1024,
  feedCandles: 500,
  /** Exchange: waiting reads; requests, open requests and time per read. */
  exchangeReads: 32,
  exchangeRequests: 32,
  exchangeOpenRequests: 8,
  exchangeReadMilliseconds: minuteMilliseconds,
  /** Exchange: time and size per response, silence of the process, a line of it, and its memory. */
  exchangeMilliseconds: 5_000,
  exchangeAnswerBytes: 32 * 1024 * 1024,
  exchangeSilenceMilliseconds: 15_000,
  exchangeLineBytes: 8 * 1024 * 1024,
  exchangeMegabytes: 256,
  /** Language model: timeout, response size, attempts, and tokens per response and per run. */
  modelMilliseconds: minuteMilliseconds,
  modelAnswerBytes: 1024 * 1024,
  modelAttempts: 2,
  /** Answers to one task, each after the refusals of the one before, and refusals returned. */
  modelCorrections: 3,
  modelRefusals: 10,
  modelAnswerTokens: 8_000,
  modelRunTokens: 50_000,
  /** Grammar sentences that a model may propose for a text, and their length. */
  modelSentences: 256,
  modelSentenceCharacters: 2000,
  feedPages: 200,
  /** Days that one reading of a feed seals. */
  feedDaysAtOnce: 31,
  /** Aggregators that a proxy pointed to, one after the other, over the blocks that are read at once. */
  feedPhases: 16,
  feedBookLevels: 5,
  feedClockSeconds: 10,
  feedAheadSeconds: 30,
  /** Chain calls per HTTP request, and concurrent reads; the client sends them in batches. */
  chainBatchCalls: 100,
  /** Complete batches before the client tries a larger one, and the time after a refused one. */
  chainBatchesBeforeGrowth: 500,
  chainBatchGrowthMilliseconds: hourMilliseconds,
  /** Time that a request waits for a provider that limits its rate in total, and a job without a response. */
  chainWaitMilliseconds: 8_000,
  chainJobWaitMilliseconds: minuteMilliseconds,
  /** Providers whose limits a process remembers. */
  chainPaces: 1_000,
  chainReadsAtOnce: 200,
  chainHeadersAtOnce: 100,
  chainReceiptsAtOnce: 100,
  chainTransactionsAtOnce: 200,
  /** A chunk with more logs is read again in halves, which bounds the memory of a run. */
  chainChunkLogs: 20_000,
  chainCheckpoints: 128,
  /**
   * Consecutive timeouts that count as "range too wide". After more, the provider counts as
   * unavailable.
   */
  chainTimeoutsInARow: 3,
  /**
   * Backward queries for trades, of growing ranges or chunks, before a market counts as illiquid.
   */
  chainSearchRounds: 16,
  /** Blocks in one query for the transfers of a holding. */
  treasuryLogBlocks: 10_000,
  /** Lines per reconciliation, and concurrent reads. */
  reconciliationLines: 400,
  reconciliationReads: 8,
  acknowledgements: 100,
  /** Steps per projection at about 0.33 µs each, and minimum number of paths. */
  projectionSteps: 30_000_000,
  fewestTreasuryPaths: 500,
  /** Block time spread within a snapshot, in seconds, that triggers a notice. */
  treasurySkewSeconds: 900,
  /** Quote lifetime that a request may specify, in seconds. */
  quoteSeconds: { least: 10, most: daySeconds },
  /** Maximum number of quotes per source response. */
  quotesOfSource: 32,
  /** Maximum age of a quote set for planning. */
  quoteSetSeconds: 10 * minuteSeconds,
  /** Interval between searches of the chain for sent legs. */
  legFollowMilliseconds: 30 * secondMilliseconds,
  /** Maximum time until a plan's deadline. */
  executionDeadlineSeconds: daySeconds,
  /**
   * Limits of custody statements: validity period, age of the block, and clock skew of the signer.
   */
  custodyLifetimeDays: 30,
  custodyBlockAgeMilliseconds: dayMilliseconds,
  custodyClockSkewMilliseconds: minuteMilliseconds,
  /** Balances per custody statement, and concurrent reads. */
  custodyBalances: 1024,
  custodyBalancesAtOnce: 16,
  chainSearchChunks: 100,
  /**
   * Project control: open challenges and their lifetime, validity of a proof, and listed role
   * holders.
   */
  controlChallengesOpen: 20,
  controlChallengeSeconds: 10 * minuteSeconds,
  controlProofMilliseconds: 90 * dayMilliseconds,
  controlRoleHolders: 200,
  /** Markets returned for an address, and concurrent chain reads for the search. */
  detectedMarkets: 8,
  detectedAtOnce: 8,
  /** A file of plans or of an offering. */
  offeredFileBytes: 64 * 1024,
  /** All that the validation of a venue asks of the chain: a request waits for it. */
  venueValidationMilliseconds: minuteMilliseconds,

  // jobs: background work, sweeps and purges.
  workersStartMilliseconds: 50,
  threadIdleMilliseconds: 30_000,
  /** Requests of one organization whose computing runs or waits in a process, and when one more may come again. */
  computingRequestsPerOrganization: 24,
  computingRetrySeconds: 5,
  /** Jobs that one process runs at a time; their computing shares the threads for it. */
  jobsAtOnce: 3,
  jobAttempts: 3,
  jobCancelAttempts: 5,
  /** Jobs that register one execution, before a user has to. */
  executionRegistrations: 3,
  /** Shortest wait of a job for a provider, and longest time with waits and without new results. */
  jobMinWaitMilliseconds: 5_000,
  jobMaxWaitMilliseconds: dayMilliseconds,
  /** Limit of one attempt; after it, the queue assigns the job to another worker. */
  jobAttemptSeconds: hourSeconds,
  /** Interval for renewing a worker's lease and checking for cancellation. */
  jobWatchMilliseconds: 2_000,
  jobHeartbeatSeconds: 30,
  jobPollMilliseconds: 2_000,
  /** Interval for writing job progress, and for finding unqueued jobs. */
  jobProgressMilliseconds: 1_000,
  jobSweepMilliseconds: 5_000,
  /** Waiting jobs among which turns are given. */
  jobsConsidered: 500,
  /** Server-sent events of jobs: intervals of database and session checks, and maximum streams. */
  jobStreamMilliseconds: 500,
  jobStreamCheckMilliseconds: 2_000,
  jobStreamRetryMilliseconds: 2_000,
  jobStreamLifetimeMilliseconds: minuteMilliseconds,
  jobStreamJobs: 200,
  jobStreamBufferBytes: 1024 * 1024,
  jobStreams: 500,
  jobStreamsOfUser: 20,
  jobStreamsOfOrganization: 100,
  /** A job that waits longer indicates that no worker is running. */
  queueStalledSeconds: 5 * minuteSeconds,
  /** Interval for recording expiries, organizations per query, and records per organization. */
  sweepMilliseconds: hourMilliseconds,
  /** Maximum time that a stopping process waits for running sweeps. */
  sweepsEndMilliseconds: 5_000,
  /** Interval for reading the database clock, and machine skew that triggers a warning. */
  leaseClockMilliseconds: minuteMilliseconds,
  clockSkewMilliseconds: secondMilliseconds,
  /** Interval of the obligation sweep; a one-day notice can be shorter by this time. */
  obligationNoticeMilliseconds: 6 * hourMilliseconds,
  /** Interval for finding launches whose forecast is later than planned. */
  launchSlipMilliseconds: hourMilliseconds,
  /** Interval between measurements of validated intents. */
  intentMeasureMilliseconds: hourMilliseconds,
  sweptOrganizations: 100,
  /** Heads that a walk over all organizations reads at a time. */
  walkedHeads: 10_000,
  sweptRecords: 200,
  /** Interval for finding venues due for an anomaly sweep, and minimum time between sweeps. */
  anomalyQueueMilliseconds: minuteMilliseconds,
  /** Interval between searches for venues with uncompared observations, and venues per search. */
  evaluateVenuesMilliseconds: 10 * minuteMilliseconds,
  evaluatedVenues: 100,
  fillPointsMilliseconds: minuteMilliseconds,
  /** Days of a venue that are computed and stored at once. */
  pointDays: 7,
  /** Observations whose rows are made in one statement. */
  filledSpans: 2_000,
  anomalySweepSeconds: 5 * minuteSeconds,
  /** Interval for queuing scheduled runs, and concurrent jobs per task and organization. */
  scheduleMilliseconds: 10 * secondMilliseconds,
  scheduledAtOnce: 2,
  venueIndexSeconds: minuteSeconds,
  /** Well below the quarter of an hour after which a venue counts as stale. */
  venueIdleSealSeconds: 5 * minuteSeconds,
  feedPullSeconds: 5 * minuteSeconds,
  vaultSnapshotSeconds: 5 * minuteSeconds,
  /** Interval between reads of the nonce of a Safe with an approved packet, and packets per organization. */
  safeWatchMilliseconds: 30 * secondMilliseconds,
  watchedPackets: 100,
  /** Organizations that read their Safes at the same time, time of each, and its concurrent reads. */
  safeWatchOrganizations: 8,
  safeWatchDeadlineMilliseconds: 25 * secondMilliseconds,
  safeWatchReads: 8,
  /** Executions per part of a Safe's history, and parts per job. */
  vaultReceiptsAtOnce: 100,
  vaultPartsAtOnce: 50,
  /** Proposals: review period, calls across packets, comments, and nonce lookahead. */
  proposalReviewDays: 30,
  proposalCalls: 256,
  proposalComments: 500,
  proposalNoncesAhead: 1000,
  partnerDomainSeconds: daySeconds,
  providerProbeSeconds: 15 * minuteSeconds,
  scoreRefreshSeconds: 6 * hourSeconds,
  /** Intervals without a success after which a subject is late, and overdue; and failures that double the wait. */
  lateIntervals: 2,
  overdueIntervals: 6,
  failuresCounted: 4,
  /** Cache time of the schedule state, and number of schedules in the workspace response. */
  freshnessMilliseconds: 10 * secondMilliseconds,
  workspaceSchedules: 100,
  purgeMilliseconds: hourMilliseconds,
  /** Ended scheduled runs, once a later run succeeded. */
  runRetentionMilliseconds: 7 * dayMilliseconds,
  /**
   * Waiting time before a sole OWNER can weaken a protective setting, and time for a second OWNER
   * to confirm it.
   */
  looseningAloneMilliseconds: 3 * dayMilliseconds,
  looseningConfirmedMilliseconds: 7 * dayMilliseconds,
  /** Jobs that the purge deletes in one statement. */
  purgedJobs: 5_000,
  /** Retention of expired links and sessions, and of past rate counters. */
  endedSessionRetentionMilliseconds: dayMilliseconds,
  rateWindowRetentionMilliseconds: dayMilliseconds + 2 * hourMilliseconds,
  /** Retention of ended webhook deliveries and their attempts. */
  webhookDeliveryRetentionMilliseconds: 90 * dayMilliseconds,

  // market: data that several families read from observations.
  /** An observation ends with the chunk that reaches either limit; then the next one begins. */
  observationEvents: 50_000,
  observationBlocks: 200_000,
  /** Price series segments to read, counting all versions per day. */
  priceSegments: 20_000,
  /** Days of a series that one question may ask the prices of. */
  pricesDays: 31,
  /** Prices of one answer; a coarser grid has fewer. */
  pricesPoints: 10_000,
  /** Samples per observation for measuring volatility. */
  volatilitySamples: 50_000,
  pairVenues: 32,
  /** Observations, and their events, that the result of an own position is computed from. */
  positionObservations: 1000,
  positionEvents: 200_000,
  /** Observations whose events are in memory together. */
  positionObservationsAtOnce: 32,
  /** Patience with a program that has binaries, unless its caller has another. */
  solverSeconds: 10,

  // history and cli.
  /** Subjects per verification page; only hash and references of a version stay in memory. */
  verifiedSubjects: 500,
  administrationBytes: 16 * 1024 * 1024,
  /** Number of events after a difference that are searched for the next swap. */
  diagnosedEvents: 500,

  // families: text details of records.
  detailCharacters: 500,

  // families/platform
  workspaceProviders: 100,
  chainOffers: 32,
  inboxItems: 100,
  /** Records of a kind that are read for an inbox. */
  inboxRead: 500,
  inboxExpiryMilliseconds: 14 * dayMilliseconds,

  // families/intelligence: venues, the map of their markets, scores, anomalies, alerts, attributions.
  venueProviders: 16,
  /** Blocks before the end of an observation that are searched for transfers to its traders. */
  fundingBlocks: 20_000,
  /** Ranges of blocks, with one request per token of the pair each. */
  fundingRanges: 20,
  fundingTraders: 100,
  fundingSources: 64,
  fundingCodesAtOnce: 16,
  /** Pool callers whose payer is determined. */
  fundingSenders: 16,
  /** Receipts of one reading, and so traders of one payer. */
  fundingReceipts: 64,
  venuePictureObservations: 100,
  /** Prices of the picture of a venue, over all observations. */
  venuePictureSamples: 600,
  mapPairs: 32,
  mapVenues: 32,
  /** Older states are shown and not routed to. */
  mapFreshSeconds: 15 * minuteSeconds,
  /** Observations read for 24 h volume, and scores read for reference sizes. */
  mapObservations: 64,
  mapScores: 32,
  mapIntents: 32,
  /** Samples over all venues of a score. */
  scoreSamples: 60_000,
  /** Events across all venues of a score; limited because a user waits for the result. */
  scoreEvents: 400_000,
  scoreWindowLeastSeconds: 6 * hourSeconds,
  scoreWindowMostSeconds: 90 * daySeconds,
  /** Validity of a score after its window, and the latest time at which it can be activated. */
  scoreValidSeconds: weekSeconds,
  scoreActivationMilliseconds: dayMilliseconds,
  /** Open anomalies that the evidence of a score names. */
  scoreAnomaliesNamed: 64,
  /** Cadences of a baseline. */
  anomalyCadences: 10_000,
  /** Concurrent commits of a sweep. */
  anomalyCommitsAtOnce: 16,
  /** Earlier anomalies in memory, and critical periods per anomaly. */
  anomaliesRemembered: 8,
  anomalySpans: 64,
  /** Contributors of an anomaly, and owners, trades and silent sources that its explanation names. */
  anomalyContributors: 64,
  anomalyOwnersNamed: 16,
  anomalyTradesNamed: 8,
  anomalySourcesNamed: 32,
  /**
   * Time for re-running study paths to compare with actual results: on request, and in the sweep.
   */
  divergenceMilliseconds: 10_000,
  sweptDivergenceMilliseconds: 2 * minuteMilliseconds,
  divergencePathsAtOnce: 50,
  /** Health check of a pair: venues, and open anomalies, newest first. */
  healthVenues: 32,
  healthAnomalies: 64,
  /** The health check of a vault reports policies that expire within this time. */
  healthPolicyNoticeSeconds: 7 * daySeconds,
  /** A review reports packets that expire within this time. */
  reviewExpiryNoticeSeconds: daySeconds,
  alertsOfSource: 1_000,
  alertTitleCharacters: 300,
  alertsResolvedMilliseconds: 30 * dayMilliseconds,
  /** Time an unregistered execution remains an open alert. */
  alertExecutionMilliseconds: 7 * dayMilliseconds,
  /** A venue counts as stale after three of its cadences, and not before this. */
  alertStaleLeastSeconds: 15 * minuteSeconds,
  alertStaleIntervals: 3,
  /** After as many times that long it is critical; so is a job after as many failures in a row. */
  alertEscalation: 4,
  alertFailuresInARow: 3,
  /** Interval of the alert sweep, concurrent commits, and notices per sweep. */
  alertSweepSeconds: minuteSeconds,
  alertCommitsAtOnce: 16,
  alertNotices: 2_000,
  alertMutedMilliseconds: 30 * dayMilliseconds,
  /** Of an organization. */
  alertChannels: 20,
  alertRules: 200,
  /** Messages to a channel, beyond which the others wait for a digest. */
  alertFloodMessages: 30,
  alertFloodMilliseconds: 10 * minuteMilliseconds,
  alertDigestLines: 20,
  /** Receiver limits: Slack block text, Telegram message, PagerDuty summary. */
  alertSlackCharacters: 3_000,
  alertTelegramCharacters: 4_000,
  alertPagerCharacters: 1_000,
  alertDispatchMilliseconds: secondMilliseconds,
  alertMessageTimeoutMilliseconds: 20 * secondMilliseconds,
  /** Pauses before the second to the fifth attempt: two hours in all. */
  alertRetryMilliseconds: [1, 5, 24, 90].map((minutes) => minutes * minuteMilliseconds),
  alertOwnersNotifiedMilliseconds: 2 * hourMilliseconds,
  /**
   * Maximum messages in flight, in total and per organization, so that slow receivers of one
   * organization delay no other.
   */
  alertMessagesAtOnce: 64,
  alertMessagesOfOrganization: 4,
  /** Evaluation of thresholds that starts further back begins after a gap. */
  thresholdCatchUpSeconds: 6 * daySeconds,
  alertFirings: 100,
  alertFiringRetentionSeconds: 366 * daySeconds,
  alertPreviewSeconds: 30 * daySeconds,
  alertTests: 5,
  alertTestWindowMilliseconds: 10 * minuteMilliseconds,
  alertTestTimeoutMilliseconds: 9 * secondMilliseconds,
  /** Longer than any repeat interval of an alert. */
  alertMessageRetentionMilliseconds: 31 * dayMilliseconds,
  /** Fills that are read at the same time, so that a long order does not flood a provider. */
  attributionFillsAtOnce: 4,
  /** Maximum pools per fill, and blocks searched back for the last event of a pool. */
  attributionLegs: 16,
  attributionLookBackBlocks: 10_000,
  /** Newest observations of a venue that are searched for one that covers the block. */
  attributionObservations: 100,
  /** Inputs of the square-root impact law: blocks and logs of a day. */
  attributionDayBlocks: 50_000,
  attributionDayLogs: 50_000,
  attributionLogChunkBlocks: 2_000,
  /** Swaps of one block on one pool whose transactions are read for sandwiches. */
  attributionBlockSwaps: 200,

  // families/simulate: studies, their reports and shares.
  /** Work of a study, milliseconds of one core as estimated: answered at once, in the sandbox, and at all. */
  interactiveStudyMilliseconds: 1_500,
  sandboxMilliseconds: 3_000,
  studyMilliseconds: 40 * minuteMilliseconds,
  studyEvents: 2_000_000,
  /** Samples of a replay across all runs; each is a stored row. */
  studySamples: 1_000_000,
  /** Memory for the samples of all paths of a study. */
  sandboxSampleBytes: 64 * 1024 * 1024,
  studySampleBytes: 512 * 1024 * 1024,
  /** Size of sealed evidence in a response; larger evidence is available as an artifact. */
  shownEvidenceBytes: 256 * 1024,
  /** Paths per thread task: small enough for cancellation and visible progress. */
  studyPathsAtOnce: 25,
  /** Paths before the first interim result of a study. */
  studyFirstLookPaths: 40,
  /** Cached results of an organization's most recent study, for a rerun with another arm. */
  studyOutcomeLifetimeMilliseconds: hourMilliseconds,
  /** Stored partial results of an interrupted study. */
  studyBatchLifetimeMilliseconds: 7 * dayMilliseconds,
  /** Lifetime of a share: default and maximum. */
  shareMilliseconds: 30 * dayMilliseconds,
  shareMostMilliseconds: 365 * dayMilliseconds,
  /** Default number of points of a series. */
  seriesPoints: 500,
  /** Retry-After for a report in progress. */
  reportRetrySeconds: 2,
  /** Texts of shares that are remembered; one is at most about a megabyte. */
  sharedTexts: 32,
  sharedMandates: 64,
  /** Age of the figures of a shared mandate without new evidence. */
  sharedMandateMilliseconds: minuteMilliseconds,
  sharedRenderingBytes: 64 * 1024 * 1024,

  // families/plan: strategies and allocation plans.
  /** Versions and events that the evidence of a strategy shows. */
  strategyEvidenceVersions: 1_000,
  /** A study is up to a megabyte, and the answer is held in memory as a whole. */
  strategyEvidenceStudies: 50,
  strategyEvidenceAdmitted: 150,
  strategyEvidenceDivergences: 50,
  strategyEvidenceHashes: 10_000,
  /** Equals the maximum that a strategy rule may specify. */
  strategyActionsPerDay: 1_440,
  /** Dropped legacy members that a record lists. */
  reportedLegacyMembers: 64,
  legacyPathCharacters: 200,
  /** Oldest study that an admission may rest on. */
  admissionStudySeconds: weekSeconds,
  /** Validity of an allocation plan. It is short because the pools change. */
  allocationPlanMilliseconds: 6 * hourMilliseconds,
  /** Time for an allocation plan's option search; the remaining work takes 1 to 2 s. */
  allocationSearchMilliseconds: 25_000,
  /** Venues per pair to include, and observations per venue searched for the newest state. */
  allocationVenues: 64,
  allocationObservations: 8,

  // families/platform: partners.
  /** Validity of a challenge token, and maximum checks per hour. */
  partnerDomainMilliseconds: 7 * dayMilliseconds,
  partnerVerificationsPerHour: 10,
  partnerStatusesPerHour: 60,
  /** A domain lapses after as many failed rechecks over as long. */
  partnerDomainFailures: 3,
  partnerDomainFailingMilliseconds: 3 * dayMilliseconds,
  /**
   * Checks stored per challenge, name servers queried per name, and stored records per response.
   */
  partnerDomainObservations: 8,
  dnsServers: 16,
  dnsValues: 8,
  dnsValueCharacters: 512,
  /** Timeout of one DNS query, and attempts per server. */
  dnsQuestionMilliseconds: 2 * secondMilliseconds,
  dnsTries: 2,
  /** Partners that are looked through for one that shows a logo. */
  logoHolders: 100,
  /** The response at a host's well-known path is a single line. */
  partnerRoutingBytes: 1024,
  partnerRoutingMilliseconds: 10 * secondMilliseconds,
  partnerLogoBytes: 256 * 1024,
  partnerLogoPixels: 1024,
  /** Live consents of a partner; bounded because one commit ends them all. */
  partnerConsentsLive: 200,
  partnerConsentMilliseconds: 366 * dayMilliseconds,
  /** Partners that the options of a consent list. */
  partnerOptions: 100,
  partnerVaultsListed: 500,
  /** Preparations of a partner that are open with one issuer, and with all: they end in one commit. */
  partnerPreparationsOfPair: 50,
  partnerPreparationsOpen: 200,
  partnerPreparationMilliseconds: 14 * dayMilliseconds,
  /** Period in which receipts can be recovered, and maximum receipts per request. */
  partnerReceiptMilliseconds: 30 * dayMilliseconds,
  partnerReceipts: 100,
  /** Vaults in a portfolio, and items shown per vault. */
  partnerPortfolioVaults: 200,
  partnerPortfolioReports: 16,
  /** Maximum signed reports of an issuer that are searched for reports of a pair. */
  partnerReportsRead: 128,
  partnerPortfolioMandates: 16,
  partnerPortfolioWindows: 64,
  partnerPortfolioAssets: 100,
  /** Open preparations recomputed per page, and concurrent computations. */
  partnerPreviews: 10,
  partnerPreviewsSideBySide: 2,

  // families/prove: the proof log.
  /**
   * Interval at which events are appended to the log and a checkpoint is signed. An event is a leaf
   * after at most two intervals.
   */
  logMilliseconds: 4_000,
  /** Events that are appended in one transaction. */
  logBatchEvents: 2_000,
  /** A log this far behind indicates that no process is appending. */
  logStalledSeconds: minuteSeconds,
  /**
   * Time a replaced log key continues to sign alongside its successor, for verifiers that know only
   * the old key.
   */
  logKeyOverlapMilliseconds: 30 * dayMilliseconds,
  /**
   * Witnesses that cosign checkpoints. Their lines are in every checkpoint, so number and name
   * length are limited.
   */
  logWitnesses: 8,
  logWitnessNameCharacters: 100,
  /**
   * Interval of checks for missing witness cosignatures of the newest checkpoint, and time allowed
   * for one.
   */
  logWitnessLookMilliseconds: secondMilliseconds,
  logWitnessMilliseconds: 10 * secondMilliseconds,
  logWitnessPauseMilliseconds: 10 * secondMilliseconds,
  /** A cosignature line is about 200 bytes; a response may contain several. */
  logWitnessAnswerBytes: 16 * 1024,

  // families/operate: mandates of market makers, migration plans and incentive programs.
  /**
   * Maximum fields and items of an order book batch that a thread reads: the levels that fit in 8
   * MiB.
   */
  mandateBatchParts: 1_000_000,
  /**
   * Maximum time that a book may be ahead of the service clock, and maximum duration of a batch.
   */
  mandateAheadSeconds: 60,
  mandateBatchDays: 11,
  /**
   * Size of a day of one venue; bounded so that each batch can be checked against the whole day.
   */
  mandateDayBatches: 600,
  mandateDaySamples: 40_000,
  mandateDayBytes: 96 * 1024 * 1024,
  mandateReadsAtOnce: 32,
  /** Days of the uptime by hour on a chart and in a file, and on the page for the market maker. */
  mandateHoursDays: 90,
  mandateSharedDays: 31,
  mandateLongestDays: 1_098,
  /**
   * Delay after the end of a window before publication: evidence of a day may arrive on the next.
   */
  mandateSettleMilliseconds: dayMilliseconds,
  /** Mandate windows published per sweep. */
  mandateWindowsAtOnce: 64,
  mandateReadSeconds: 5 * minuteSeconds,
  mandateLoanSeconds: hourSeconds,
  /** Steps of a migration plan, and maximum age of its simulation block. */
  migrationSteps: 400,
  migrationBlockSeconds: 10 * minuteSeconds,
  /** The finalized tag is three epochs behind at most. */
  migrationFinalityLagSeconds: 20 * minuteSeconds,
  /** The way back may be walked for as long. */
  migrationBackSeconds: weekSeconds,
  migrationTwapSeconds: 30 * minuteSeconds,
  /** Interval for checking stop rules during a soak, in blocks. */
  migrationSoakBlocks: 5,
  /**
   * Incentive program: log queries for distributions, and transfers, which each need their block
   * time.
   */
  incentiveLogChunks: 25_000,
  incentiveTransfers: 50_000,
  /** Length of a baseline. */
  incentiveBaselineLeastDays: 28,
  incentiveBaselineMostDays: 366,
  /**
   * Grace period after the start of a program for its first distribution, and observation period
   * after its end for retained liquidity.
   */
  incentivePatienceMilliseconds: 7 * dayMilliseconds,
  incentiveFollowedMilliseconds: 61 * dayMilliseconds,
  /** A start may lie ahead, 180 days may follow, then the retention. */
  incentiveLongestMilliseconds: (366 + 180 + 61) * dayMilliseconds,
  /** Programs per sweep, and events read per program. */
  incentivePrograms: 1_000,
  incentiveEvents: 1_000,
} as const
