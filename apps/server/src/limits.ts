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

/** Every limit of the service, in one place, floor by floor; units are in the names. */
export const limits = {
  // http: requests and what they carry.
  bodyBytes: 1024 * 1024,
  publicBodyBytes: 2048,
  /** Of a request that carries neither a cookie nor a credential. */
  anonymousBodyBytes: 64 * 1024,
  bodyNesting: 64,
  /** Members and items of a body, all together: the event loop is held while they are built. */
  bodyParts: 20_000,
  fieldErrors: 50,
  /** Parts of a body up to which every error in it is told, and not only the first. */
  explainedParts: 2_000,
  urlBytes: 8192,
  /** For a request to arrive, and for the next to follow; longer than load balancers keep a connection. */
  requestMilliseconds: minuteMilliseconds,
  keepAliveMilliseconds: 72_000,
  shutdownMilliseconds: 15_000,
  /** Of the disk under an embedded database, for changes to be taken: four segments of its log. */
  diskReserveBytes: 64 * 1024 * 1024,
  /** For an embedded database to close. */
  databaseCloseMilliseconds: 5_000,
  /** For a trial whether the database takes changes. */
  writableTrialMilliseconds: 20_000,
  /** How long a trial whether the database takes changes is believed. */
  writableMilliseconds: 5_000,
  /** At most, between two attempts to reach a database that is away. */
  databaseWaitMilliseconds: 5_000,
  /** How long a node that is told to stop serves on, so that its balancer hears of it first. */
  drainSeconds: 10,
  drainSecondsMaximum: 300,
  /** How often a service that stops closes the connections on which nothing is asked. */
  idleConnectionsMilliseconds: 50,
  organizationIdCharacters: 160,
  pathParameterCharacters: 500,
  /** Of a text in a body beside the contract. */
  textMemberCharacters: 300,

  // store: the database and what is remembered of it.
  databaseConnections: 10,
  /** Reads at once whose cost grows with what an organization has written. */
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
  /** Messages of one kind that may be on their way, and after how long one counts as late. */
  commitsInFlight: 4,
  readsInFlight: 4,
  messagePatienceMilliseconds: 20,
  /** How long listeners wait to hear of what was committed. */
  announceMilliseconds: 100,
  contentionAttempts: 6,
  /** Stored texts that are remembered as verified, about 20 MB of them at the most. */
  verifiedTexts: 10_000,
  artifactPartBytes: 512 * 1024,
  /** Events of observations that a process keeps for who reads them next: four of 74,000 events. */
  keptArtifactBytes: 128 * 1024 * 1024,
  /** How often a process tells what it has added to organizations and reads what all have; the quota is soft by as much. */
  usageMilliseconds: 5 * secondMilliseconds,
  /** How often it is asked whose rows are to be measured, of how many at a time, and how old a measurement may be. */
  usageSweepMilliseconds: minuteMilliseconds,
  usageMeasuredAtOnce: 100,
  /** Rows of each table that are measured in one message, and such messages for one organization before it is the turn of the next. */
  usagePartRows: 50_000,
  usagePartsAtOnce: 30,
  /** Organizations whose bytes are told as metrics: those that keep most of what they may. */
  usageObserved: 10,
  usageMeasuredMilliseconds: dayMilliseconds,
  /** Of an organization that is refused, which may be so for what was thrown away since. */
  usageRefusedMeasuredMilliseconds: hourMilliseconds,

  // access: who asks, and how often.
  /** How long a caller's next mutation may leave it to its own transaction to ask who it is. */
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
  /** Of one person: what is added or removed is mailed. */
  passkeyChangesPerHour: 40,
  passkeyAssertionsPerHour: 240,
  /** Links to one address: for a browser that signed in with it, or for each client that has not. */
  signInLinksPerAskerPerHour: 5,
  /** Links to one address that strangers ask for, after which each further client has one. */
  signInLinksOfStrangersPerHour: 20,
  signInLinksPerClientPerHour: 20,
  knownBrowserMilliseconds: 180 * dayMilliseconds,
  /** Invitation mails: to one address in all organizations, of one organization, and of one inviting owner. */
  invitationsPerAddressPerHour: 5,
  invitationsPerOrganizationPerHour: 20,
  invitationsPerOrganizationPerDay: 100,
  invitationsPerOwnerPerHour: 20,
  invitationsPerOwnerPerDay: 100,
  invitationMilliseconds: 7 * dayMilliseconds,
  /** Removals that an owner can list, newest first. */
  memberRemovalsListed: 100,
  accessTokenSeconds: hourSeconds,
  budgetWindowSeconds: 15 * minuteSeconds,
  publicRequestsPerMinute: 120,
  sessionRequestsPerMinute: 1_200,
  /** A flood of addresses must not fill the memory; what is forgotten is learned again with the next count. */
  publicClients: 50_000,
  /** Clients whose counts are told to the database in one statement. */
  publicClientsTold: 1_000,
  /** What strangers cause upstream, all together: requests at once, those that wait, for how long, and each of them. */
  publicUpstreamAtOnce: 4,
  publicUpstreamWaiting: 64,
  publicUpstreamWaitMilliseconds: 2_000,
  publicUpstreamTries: 2,
  publicUpstreamBytes: 2 * 1024 * 1024,
  publicUpstreamBatch: 50,
  /** For one answer to a stranger, all in all; one request may take five sixteenths of it, 2.5 s. */
  publicReadMilliseconds: 8_000,
  /** How long what a reading found is told to whoever asks the same, how many, and how long its hash can be named. */
  publicReadingKeptMilliseconds: minuteMilliseconds,
  publicReadings: 512,
  publicHeadKeptMilliseconds: 12_000,
  publicAnswerKeptMilliseconds: 10 * minuteMilliseconds,
  publicChainsFileBytes: 64 * 1024,
  publicPools: 20,
  /** Tokens that an organization follows, and how often each is read. */
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
  /** Of one organization at once, whatever number of receivers it has. */
  webhookBatchPerOrganization: 16,
  /** To one host, whoever subscribed it; as many connections as are open to one. */
  webhookBatchPerHost: 16,
  /** After which a delivery of a subscription that is not active is looked at again. */
  webhookPausedMilliseconds: 5 * minuteMilliseconds,
  /** What is held for a paused subscription: for how long, and how much of it. */
  webhookHeldMilliseconds: 7 * dayMilliseconds,
  webhookHeldDeliveries: 10_000,
  /** Deliveries of a subscription that are listed, newest first. */
  webhookDeliveriesListed: 100,
  /** The longest window whose events are sent again. */
  webhookReplayMilliseconds: 30 * dayMilliseconds,
  /** Events that one request for a kind looks through. */
  eventsScanned: 2_000,
  mailTimeoutMilliseconds: 20_000,
  /** Of an address, as SMTP has it, and of text from elsewhere in a mail. */
  mailAddressCharacters: 254,
  mailLineCharacters: 200,
  outboundTimeoutMilliseconds: 15_000,
  outboundAnswerBytes: 32 * 1024 * 1024,
  outboundConnectionsPerHost: 16,
  /** Of one answer of a chain, by its method; of those made together the sum, up to that of any answer. */
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
  /** Of the answer to any other method, and around each. */
  chainAnswerOtherBytes: 64 * 1024,
  chainAnswerNesting: 16,
  chainAnswerMembers: 2_000_000,
  /** Logs of one range; a wider one is halved. */
  chainAnswerLogs: 20_000,
  /** What is parsed in one turn of the event loop, and the items that are looked at in one. */
  chainAnswerPieceBytes: 128 * 1024,
  chainAnswerPieceItems: 500,
  /** Of a provider of a chain: unless its configuration says otherwise, and what that may say. */
  providerTimeoutMilliseconds: 10_000,
  providerTimeoutLeastMilliseconds: 100,
  providerTimeoutMostMilliseconds: minuteMilliseconds,
  providerConfirmations: 100_000,
  providerVersionCharacters: 100,
  /** Nesting, and members and items all together, of one JSON answer of a feed, a quote source, a model or an identity provider. */
  answerNesting: 16,
  answerParts: 20_000,
  /** Of one answer of an identity provider. */
  identityAnswerBytes: 256 * 1024,
  /** Of a feed of prices over HTTP: one answer, what is asked for in one, and how far its clock may be off. */
  feedMilliseconds: 5_000,
  feedAnswerBytes: 1024 * 1024,
  feedCandles: 500,
  /** Of a language model: one answer and how often it is asked, and its tokens in one and in a run. */
  modelMilliseconds: minuteMilliseconds,
  modelAnswerBytes: 1024 * 1024,
  modelAttempts: 2,
  modelAnswerTokens: 8_000,
  modelRunTokens: 50_000,
  /** Sentences of the grammar that one may propose for a text, and the characters of each. */
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
  /** Calls of a chain in one request, and what is asked for at once; a client sends that in batches. */
  chainBatchCalls: 100,
  chainReadsAtOnce: 200,
  chainHeadersAtOnce: 100,
  chainReceiptsAtOnce: 100,
  chainTransactionsAtOnce: 200,
  /** A chunk with more logs is read again in halves, which bounds the memory of a run. */
  chainChunkLogs: 20_000,
  chainCheckpoints: 128,
  /** Timeouts in a row that may mean a range too wide, before they mean a provider that is gone. */
  chainTimeoutsInARow: 3,
  /** Queries that go back for trades before a market counts as one that is hardly traded: of growing ranges, and of chunks. */
  chainSearchRounds: 16,
  /** Blocks in one query for the transfers of a holding. */
  treasuryLogBlocks: 10_000,
  /** Lines of one reconciliation, and how many are read beside each other. */
  reconciliationLines: 400,
  reconciliationReads: 8,
  acknowledgements: 100,
  /** Steps of one projection, a third of a microsecond each, and the fewest paths that may be asked for. */
  projectionSteps: 30_000_000,
  fewestTreasuryPaths: 500,
  /** How far blocks of one snapshot may lie apart, seconds, before that is said. */
  treasurySkewSeconds: 900,
  /** For how long quotes are asked for. */
  quoteSeconds: { least: 10, most: daySeconds },
  /** Of one answer of a source of quotes. */
  quotesOfSource: 32,
  /** A quote set may be planned on for so long at most. */
  quoteSetSeconds: 10 * minuteSeconds,
  /** Legs that were sent are looked for on the chain so often. */
  legFollowMilliseconds: 30 * secondMilliseconds,
  /** A plan's deadline lies at most so far ahead. */
  executionDeadlineSeconds: daySeconds,
  /** Of custody statements: how long one may hold, how old its block may be, and how far ahead the clock of its signer. */
  custodyLifetimeDays: 30,
  custodyBlockAgeMilliseconds: dayMilliseconds,
  custodyClockSkewMilliseconds: minuteMilliseconds,
  /** Balances that one custody statement may ask for, and how many are asked for at once. */
  custodyBalances: 1024,
  custodyBalancesAtOnce: 16,
  chainSearchChunks: 100,
  /** Project control: challenges that wait for an answer, and how long; how long a proof counts; holders of a role that are listed. */
  controlChallengesOpen: 20,
  controlChallengeSeconds: 10 * minuteSeconds,
  controlProofMilliseconds: 90 * dayMilliseconds,
  controlRoleHolders: 200,
  /** Markets that an address is answered with, and what is asked of a chain at once to find them. */
  detectedMarkets: 8,
  detectedAtOnce: 8,
  /** A file of plans or of an offering. */
  offeredFileBytes: 64 * 1024,
  /** All that the validation of a venue asks of the chain: a request waits for it. */
  venueValidationMilliseconds: minuteMilliseconds,

  // jobs: work in the background, sweeps, and what they remove.
  workersStartMilliseconds: 50,
  /** A thread that had nothing to do for so long ends. */
  threadIdleMilliseconds: 30_000,
  /** Requests of one organization whose computing runs or waits in a process, and when one more may come again. */
  computingRequestsPerOrganization: 24,
  computingRetrySeconds: 5,
  /** Jobs that one process runs at a time; their computing shares the threads for it. */
  jobsAtOnce: 3,
  jobAttempts: 3,
  jobCancelAttempts: 5,
  /** For one attempt; the queue gives the job to another worker then. */
  jobAttemptSeconds: hourSeconds,
  /** How often a worker says that it is alive and asks whether its job is still wanted. */
  jobWatchMilliseconds: 2_000,
  jobHeartbeatSeconds: 30,
  jobPollMilliseconds: 2_000,
  /** How often a job's progress is written, and jobs are looked for that nobody has told of. */
  jobProgressMilliseconds: 1_000,
  jobSweepMilliseconds: 5_000,
  /** Waiting jobs among which turns are given. */
  jobsConsidered: 500,
  /** Server-sent events of jobs: how often the database is looked at and the session again, and how many there may be. */
  jobStreamMilliseconds: 500,
  jobStreamCheckMilliseconds: 2_000,
  jobStreamRetryMilliseconds: 2_000,
  jobStreamKeptMilliseconds: minuteMilliseconds,
  jobStreamJobs: 200,
  jobStreamBufferBytes: 1024 * 1024,
  jobStreams: 500,
  jobStreamsOfUser: 20,
  jobStreamsOfOrganization: 100,
  /** Work that has waited for longer has nobody who does it. */
  queueStalledSeconds: 5 * minuteSeconds,
  /** How often what has run out is written down: organizations asked in one message, and records of each at a time. */
  sweepMilliseconds: hourMilliseconds,
  /** How long a process that stops waits for sweeps that are under way. */
  sweepsEndMilliseconds: 5_000,
  /** How often the clock of the database is asked for, and how far off a machine may be before that is told. */
  leaseClockMilliseconds: minuteMilliseconds,
  clockSkewMilliseconds: secondMilliseconds,
  /** How often obligations are looked through for what falls due: a notice of one day is at most so much shorter. */
  obligationNoticeMilliseconds: 6 * hourMilliseconds,
  /** How often launches are looked through for those that are forecast later than planned. */
  launchSlipMilliseconds: hourMilliseconds,
  /** How often validated intents are measured. */
  intentMeasureMilliseconds: hourMilliseconds,
  sweptOrganizations: 100,
  /** Heads that a walk over all organizations reads at a time. */
  walkedHeads: 10_000,
  sweptRecords: 200,
  /** How often it is asked whose venues are to be swept for anomalies, and the least time between two sweeps. */
  anomalyQueueMilliseconds: minuteMilliseconds,
  /** How often venues whose observations were not compared are looked for, and how many are named at a time. */
  judgeVenuesMilliseconds: 10 * minuteMilliseconds,
  judgedVenues: 100,
  /** Observations whose rows are made in one statement. */
  filledSpans: 2_000,
  anomalySweepSeconds: 5 * minuteSeconds,
  /** How often it is asked what must be read again, how many jobs of one task an organization has at a time. */
  scheduleMilliseconds: 10 * secondMilliseconds,
  scheduledAtOnce: 2,
  venueIndexSeconds: minuteSeconds,
  /** Well below the quarter of an hour after which a venue counts as stale. */
  venueIdleSealSeconds: 5 * minuteSeconds,
  feedPullSeconds: 5 * minuteSeconds,
  vaultSnapshotSeconds: 5 * minuteSeconds,
  /** Executions after which a part of the history of a Safe is kept, and parts that one job reads. */
  vaultReceiptsAtOnce: 100,
  vaultPartsAtOnce: 50,
  /** Of a proposal: how long its review may last, calls of all its packets, comments, and how far ahead a nonce may be. */
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
  /** For how long the state of the schedules is told again without being asked anew, and how many the workspace tells. */
  freshnessMilliseconds: 10 * secondMilliseconds,
  workspaceSchedules: 100,
  purgeMilliseconds: hourMilliseconds,
  /** Ended runs of what is kept fresh, once a later one went well. */
  runsKeptMilliseconds: 7 * dayMilliseconds,
  /** How long the only OWNER waits for a protective setting to protect less, and how long another may confirm it. */
  looseningAloneMilliseconds: 3 * dayMilliseconds,
  looseningConfirmedMilliseconds: 7 * dayMilliseconds,
  /** Jobs that the purge deletes in one statement. */
  purgedJobs: 5_000,
  /** Links and sessions whose time is over, and counts of past hours and minutes. */
  endedSessionsKeptMilliseconds: dayMilliseconds,
  rateWindowsKeptMilliseconds: dayMilliseconds + 2 * hourMilliseconds,
  /** Deliveries of webhooks that ended, and what was tried for them. */
  webhookDeliveriesKeptMilliseconds: 90 * dayMilliseconds,

  // market: what several families read from observations.
  /** One observation ends with the chunk in which either is reached, and the next begins. */
  observationEvents: 50_000,
  observationBlocks: 200_000,
  /** Days of a series of prices that are looked at, all generations of each. */
  priceSegments: 20_000,
  /** Days of a series that one question may ask the prices of. */
  pricesDays: 31,
  /** Prices of one answer; a coarser grid has fewer. */
  pricesPoints: 10_000,
  /** Samples of an observation from which its volatility is read. */
  volatilitySamples: 50_000,
  pairVenues: 32,
  /** Patience with a program that has binaries, unless its caller has another. */
  solverSeconds: 10,

  // history and cli.
  /** Chains are verified in pages of whole subjects; what is kept of a version is its hash and what it refers to. */
  verifiedSubjects: 500,
  administrationBytes: 16 * 1024 * 1024,
  /** Events after a difference that are looked at for the next swap. */
  diagnosedEvents: 500,

  // families: what a record says in words.
  detailCharacters: 500,

  // families/platform
  workspaceProviders: 100,

  // families/intelligence: venues, the map of their markets, scores, anomalies, alerts, attributions.
  venueProviders: 16,
  /** Blocks before the end of an observation in which transfers to its traders are read. */
  fundingBlocks: 20_000,
  /** Ranges of blocks, with one request per token of the pair each. */
  fundingRanges: 20,
  fundingTraders: 100,
  fundingSources: 64,
  fundingCodesAtOnce: 16,
  /** Contracts that called a pool of which the payer is looked for. */
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
  /** Observations that are looked through for the volume of a day, and scores for sizes to ask for. */
  mapObservations: 64,
  mapScores: 32,
  mapIntents: 32,
  /** Samples over all venues of a score. */
  scoreSamples: 60_000,
  /** Events of the observations that a score is measured from, over all of its venues: somebody waits for it. */
  scoreEvents: 400_000,
  scoreWindowLeastSeconds: 6 * hourSeconds,
  scoreWindowMostSeconds: 90 * daySeconds,
  /** How long a score holds after its window, and until when it can be made the one that holds. */
  scoreValidSeconds: weekSeconds,
  scoreActivationMilliseconds: dayMilliseconds,
  /** Open anomalies that the evidence of a score names. */
  scoreAnomaliesNamed: 64,
  /** Cadences of a baseline. */
  anomalyCadences: 10_000,
  /** Changes of a sweep that are committed beside each other. */
  anomalyCommitsAtOnce: 16,
  /** Anomalies of before that are remembered, and times of each at which it was critical. */
  anomaliesRemembered: 8,
  anomalySpans: 64,
  /** Contributors of an anomaly, and owners, trades and silent sources that its explanation names. */
  anomalyContributors: 64,
  anomalyOwnersNamed: 16,
  anomalyTradesNamed: 8,
  anomalySourcesNamed: 32,
  /** Paths of a study that are run again for a comparison with what happened: asked for, and by the sweep. */
  divergenceMilliseconds: 10_000,
  sweptDivergenceMilliseconds: 2 * minuteMilliseconds,
  divergencePathsAtOnce: 50,
  /** Alerts of each source, newest first, their titles, and how long what is over is told. */
  /** Of a pair that is judged: venues and open anomalies, the newest first. */
  healthVenues: 32,
  healthAnomalies: 64,
  /** A policy that ends within so long is told of a vault that is judged. */
  healthPolicyNoticeSeconds: 7 * daySeconds,
  /** A packet that expires within so long is told by its review. */
  reviewExpiryNoticeSeconds: daySeconds,
  alertsOfSource: 1_000,
  alertTitleCharacters: 300,
  alertsResolvedMilliseconds: 30 * dayMilliseconds,
  /** How long an execution that nobody agreed to is told as open. */
  alertExecutionMilliseconds: 7 * dayMilliseconds,
  /** A venue counts as stale after three of its cadences, and not before this. */
  alertStaleLeastSeconds: 15 * minuteSeconds,
  alertStaleIntervals: 3,
  /** After as many times that long it is critical; so is a job after as many failures in a row. */
  alertEscalation: 4,
  alertFailuresInARow: 3,
  /** How often it is looked what alerts are new, what of them is written at once, and notices that are told with them. */
  alertSweepSeconds: minuteSeconds,
  alertCommitsAtOnce: 16,
  alertNotices: 2_000,
  alertMutedMilliseconds: 30 * dayMilliseconds,
  /** Of an organization. */
  alertChannels: 20,
  alertRules: 50,
  /** Messages to a channel, beyond which the others wait for a digest. */
  alertFloodMessages: 30,
  alertFloodMilliseconds: 10 * minuteMilliseconds,
  alertDigestLines: 20,
  /** What the receivers take: Slack of a text in a block, Telegram of a message, PagerDuty of a summary. */
  alertSlackCharacters: 3_000,
  alertTelegramCharacters: 4_000,
  alertPagerCharacters: 1_000,
  alertDispatchMilliseconds: secondMilliseconds,
  alertMessageTimeoutMilliseconds: 20 * secondMilliseconds,
  /** Pauses before the second to the fifth attempt: two hours in all. */
  alertRetryMilliseconds: [1, 5, 24, 90].map((minutes) => minutes * minuteMilliseconds),
  alertOwnersToldMilliseconds: 2 * hourMilliseconds,
  /** Messages on their way, and those of one organization, so that no other waits for its receivers. */
  alertMessagesAtOnce: 64,
  alertMessagesOfOrganization: 4,
  /** Longer than any alert waits to be told again. */
  alertMessagesKeptMilliseconds: 31 * dayMilliseconds,
  /** Fills that are read at the same time, so that a long order does not flood a provider. */
  attributionFillsAtOnce: 4,
  /** Pools of one fill, and how far back the last event of a pool is looked for. */
  attributionLegs: 16,
  attributionLookBackBlocks: 10_000,
  /** Newest observations of a venue among which one is looked for that reaches over the block. */
  attributionObservations: 100,
  /** What the square-root law may be measured on: blocks and logs of a day. */
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
  /** Samples of a replay over all of its runs; each is a row that is kept. */
  studySamples: 1_000_000,
  /** Memory for the samples of all paths of a study. */
  sandboxSampleBytes: 64 * 1024 * 1024,
  studySampleBytes: 512 * 1024 * 1024,
  /** Of sealed evidence that an answer holds; what is larger is fetched among the artifacts. */
  shownEvidenceBytes: 256 * 1024,
  /** Paths that one thread runs at a time: small enough that a study can be cancelled and progress is seen. */
  studyPathsAtOnce: 25,
  /** Paths of a study after which the first estimate is told. */
  studyFirstLookPaths: 40,
  /** What the study of an organization that ended last has computed, for the same question of another arm. */
  studyOutcomesKeptMilliseconds: hourMilliseconds,
  /** What an interrupted study has computed. */
  studyBatchesKeptMilliseconds: 7 * dayMilliseconds,
  /** How long a share holds unless its maker says otherwise, and at most. */
  shareMilliseconds: 30 * dayMilliseconds,
  shareMostMilliseconds: 365 * dayMilliseconds,
  /** Points of a series that are told where no number is asked for. */
  seriesPoints: 500,
  /** When to ask again for a report that is still made. */
  reportRetrySeconds: 2,
  /** Texts of shares that are remembered; one is at most about a megabyte. */
  sharedTexts: 32,
  /** What is shown of shares and kept in memory. */
  sharedRenderingBytes: 64 * 1024 * 1024,

  // families/plan: strategies and allocation plans.
  /** Versions and events that the evidence of a strategy shows. */
  strategyEvidenceVersions: 1_000,
  /** A study is up to a megabyte, and the answer is held in memory as a whole. */
  strategyEvidenceStudies: 50,
  strategyEvidenceAdmitted: 150,
  strategyEvidenceDivergences: 50,
  strategyEvidenceHashes: 10_000,
  /** As many as a rule of a definition may name. */
  strategyActionsPerDay: 1_440,
  /** What a record tells of members that are left behind. */
  legacyMembersTold: 64,
  legacyPathCharacters: 200,
  /** Oldest study that an admission may rest on. */
  admissionStudySeconds: weekSeconds,
  /** How long an allocation plan is valid: the pools move on. */
  allocationPlanMilliseconds: 6 * hourMilliseconds,
  /** How long a plan may search which options to use; what it does besides takes a second or two. */
  allocationSearchMilliseconds: 25_000,
  /** Venues of one pair that are counted, and observations of each among which the newest state is looked for. */
  allocationVenues: 64,
  allocationObservations: 8,

  // families/platform: partners.
  /** How long the token of a challenge proves anything, and the times that it is looked at in an hour. */
  partnerDomainMilliseconds: 7 * dayMilliseconds,
  partnerVerificationsPerHour: 10,
  partnerStatusesPerHour: 60,
  /** A domain lapses after as many failed rechecks over as long. */
  partnerDomainFailures: 3,
  partnerDomainFailingMilliseconds: 3 * dayMilliseconds,
  /** Checks that a challenge keeps, name servers that are asked of one name, records that are kept of an answer. */
  partnerDomainObservations: 8,
  dnsServers: 16,
  dnsValues: 8,
  dnsValueCharacters: 512,
  /** One question to one server, and how often it is put. */
  dnsQuestionMilliseconds: 2 * secondMilliseconds,
  dnsTries: 2,
  /** Partners that are looked through for one that shows a logo. */
  logoHolders: 100,
  /** What the well-known path of a host answers is a line. */
  partnerRoutingBytes: 1024,
  partnerRoutingMilliseconds: 10 * secondMilliseconds,
  partnerLogoBytes: 256 * 1024,
  partnerLogoPixels: 1024,
  /** Live consents of a partner: all of them end in one commit. */
  partnerConsentsLive: 200,
  partnerConsentMilliseconds: 366 * dayMilliseconds,
  /** Partners that the options of a consent list. */
  partnerOptions: 100,
  partnerVaultsListed: 500,
  /** Preparations of a partner that are open with one issuer, and with all: they end in one commit. */
  partnerPreparationsOfPair: 50,
  partnerPreparationsOpen: 200,
  partnerPreparationMilliseconds: 14 * dayMilliseconds,
  /** For how long receipts are found again, and how many at once. */
  partnerReceiptMilliseconds: 30 * dayMilliseconds,
  partnerReceipts: 100,
  /** Vaults that a portfolio shows, and what it shows of each. */
  partnerPortfolioVaults: 200,
  partnerPortfolioReports: 16,
  /** Signed reports of an issuer that are looked at for those of a pair. */
  partnerReportsRead: 128,
  partnerPortfolioMandates: 16,
  partnerPortfolioWindows: 64,
  partnerPortfolioAssets: 100,
  /** Open preparations of a page that are derived anew, and how many side by side. */
  partnerPreviews: 10,
  partnerPreviewsSideBySide: 2,

  // families/prove: the proof log.
  /** How often events are taken into the log and its head is signed; an event is a leaf after two of these at most. */
  logMilliseconds: 4_000,
  /** Events that are appended in one transaction. */
  logBatchEvents: 2_000,
  /** A log that is so far behind has nobody who appends to it. */
  logStalledSeconds: minuteSeconds,
  /** How long a key of the log that was replaced signs beside the next, for whoever knows only it. */
  logKeyOverlapMilliseconds: 30 * dayMilliseconds,
  /** Witnesses that cosign the heads: their lines stand under every head, so they are few and have short names. */
  logWitnesses: 8,
  logWitnessNameCharacters: 100,
  /** How often is looked whether a witness has not cosigned the newest head, and how long one may take to. */
  logWitnessLookMilliseconds: secondMilliseconds,
  logWitnessMilliseconds: 10 * secondMilliseconds,
  /** A witness that did not cosign is asked again after as long. */
  logWitnessPauseMilliseconds: 10 * secondMilliseconds,
  /** A line is about 200 bytes; others may answer with several. */
  logWitnessAnswerBytes: 16 * 1024,

  // families/operate: mandates of market makers, migration plans and incentive programs.
  /** Members and items of a batch of books, which a thread reads: what 8 MiB hold at the most of levels. */
  mandateBatchParts: 1_000_000,
  /** How far ahead of our clock a book may be, and how long a batch may be. */
  mandateAheadSeconds: 60,
  mandateBatchDays: 11,
  /** What a day holds, so that each batch can be weighed with all of it: bytes of one venue. */
  mandateDayBatches: 600,
  mandateDaySamples: 40_000,
  mandateDayBytes: 96 * 1024 * 1024,
  mandateReadsAtOnce: 32,
  mandateLongestDays: 1_098,
  /** After the end of a window, before it is told: evidence of a day may come on the next. */
  mandateSettleMilliseconds: dayMilliseconds,
  /** Windows of a mandate that one sweep tells. */
  mandateWindowsAtOnce: 64,
  mandateReadSeconds: 5 * minuteSeconds,
  mandateLoanSeconds: hourSeconds,
  /** Steps of a migration plan, and how old the block may be on which it is simulated. */
  migrationSteps: 400,
  migrationBlockSeconds: 10 * minuteSeconds,
  /** The finalized tag is three epochs behind at most. */
  migrationFinalityLagSeconds: 20 * minuteSeconds,
  /** The way back may be walked for as long. */
  migrationBackSeconds: weekSeconds,
  migrationTwapSeconds: 30 * minuteSeconds,
  /** Blocks of a soak at which its stop rules are looked at. */
  migrationSoakBlocks: 5,
  /** Of a program: queries for what its distributors sent, and transfers of which each needs the time of its block. */
  incentiveLogChunks: 25_000,
  incentiveTransfers: 50_000,
  /** Length of a baseline. */
  incentiveBaselineLeastDays: 28,
  incentiveBaselineMostDays: 366,
  /** How long after its start a program waits for its first distribution, and after its end for what stays. */
  incentivePatienceMilliseconds: 7 * dayMilliseconds,
  incentiveFollowedMilliseconds: 61 * dayMilliseconds,
  /** A start may lie ahead, 180 days may follow, then the retention. */
  incentiveLongestMilliseconds: (366 + 180 + 61) * dayMilliseconds,
  /** Programs that one sweep looks after, and events of one that are read. */
  incentivePrograms: 1_000,
  incentiveEvents: 1_000,
} as const
