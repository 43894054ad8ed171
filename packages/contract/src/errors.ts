import Type, { type Static } from 'typebox'
import { closed, mapOf, named } from './scalars.ts'

/** One row of the catalogue. Programs decide on the code, people read the rest. */
export interface CatalogueEntry {
  status: number
  message: string
  retryable: boolean
  remediation: string
}

const entry = (
  status: number,
  message: string,
  remediation: string,
  retryable = false,
): CatalogueEntry => ({ status, message, retryable, remediation })

/**
 * Every error code the service can answer. Codes are a promise: they are never renamed and never mean
 * something else. Those of the specification are verbatim; ours begin `LIQUIDITY_`.
 */
export const errorCatalogue = {
  // The shape of the request.
  LIQUIDITY_ROUTE_NOT_FOUND: entry(
    404,
    'No operation has this path.',
    'Compare the path with GET /openapi.json; every path begins with /api/liquidity-studio/v2.',
  ),
  LIQUIDITY_METHOD_NOT_ALLOWED: entry(
    405,
    'This path does not take this method.',
    'Use one of the methods in the Allow header.',
  ),
  LIQUIDITY_BODY_TOO_LARGE: entry(
    413,
    'The body is larger than this operation accepts.',
    'Send a smaller body; the limit is 1 MiB unless the operation says otherwise.',
  ),
  LIQUIDITY_MEDIA_TYPE_UNSUPPORTED: entry(
    415,
    'The body has a media type that this operation does not read.',
    'Send the body with Content-Type: application/json.',
  ),
  LIQUIDITY_MALFORMED_JSON: entry(
    400,
    'The body is not well-formed JSON.',
    'Send UTF-8 JSON without duplicate keys, lone surrogates, NUL characters or nesting over 64.',
  ),
  LIQUIDITY_INVALID_REQUEST: entry(
    400,
    'The request does not match the contract.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_CURSOR_INVALID: entry(
    400,
    'The cursor does not belong to this collection.',
    'Start without a cursor, or use meta.nextCursor of the page before, unchanged.',
  ),
  LIQUIDITY_IDEMPOTENCY_KEY_REQUIRED: entry(
    400,
    'The Idempotency-Key header is missing or malformed.',
    'Send a fresh Idempotency-Key of 8 to 160 characters with every new intent.',
  ),
  LIQUIDITY_IDEMPOTENCY_KEY_REUSED: entry(
    409,
    'This Idempotency-Key already stands for another request.',
    'Use a new key for a new intent; repeat the exact request to read its stored answer.',
  ),
  LIQUIDITY_OPERATION_NOT_AVAILABLE: entry(
    501,
    'This operation is declared in the contract and not yet served by this release.',
    'See GET /status for the release; the operation keeps this path and these guards.',
  ),

  // Who calls.
  LIQUIDITY_AUTHENTICATION_REQUIRED: entry(
    401,
    'Authentication is missing, invalid or expired.',
    'Sign in, or send Authorization: Bearer with an API key or an access token.',
  ),
  LIQUIDITY_STUDIO_INVALID_SERVICE_CREDENTIAL: entry(
    401,
    'The service credential is not valid for this organization.',
    'Check the key or token, its expiry and the x-service-organization-id header; rotate it if it is lost.',
  ),
  LIQUIDITY_STUDIO_SERVICE_AUTH_UNAVAILABLE: entry(
    503,
    'Credentials cannot be verified at the moment.',
    'Repeat the same request after a short wait.',
    true,
  ),
  LIQUIDITY_STUDIO_ORGANIZATION_REQUIRED: entry(
    400,
    'The x-service-organization-id header is missing or malformed.',
    'Send the id of one of your organizations (1 to 160 characters).',
  ),
  LIQUIDITY_ORGANIZATION_ACCESS_DENIED: entry(
    403,
    'You have no access to this organization.',
    'Use an organization of which you are a member, or ask its owner for an invitation.',
  ),
  LIQUIDITY_ROLE_REQUIRED: entry(
    403,
    'Your role does not permit this operation.',
    'Ask an owner of the organization for a role that does.',
  ),
  LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED: entry(
    403,
    'The credential lacks the scope, or this operation does not accept service credentials.',
    'Use a credential that holds the scope named in the contract, or an interactive session.',
  ),
  LIQUIDITY_ORIGIN_NOT_ALLOWED: entry(
    403,
    'A change with a session cookie must come from an allowed origin.',
    'Send the Origin header of the console of this deployment.',
  ),
  LIQUIDITY_STUDIO_SERVICE_SCOPE_RATE_LIMITED: entry(
    429,
    'The request budget of this credential and scope is used up.',
    'Wait as long as Retry-After says.',
    true,
  ),
  LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED: entry(
    401,
    'This operation needs an interactive authentication of the last ten minutes.',
    'Authenticate again at POST /auth/reauthentications and repeat the request.',
  ),
  LIQUIDITY_RATE_LIMITED: entry(
    429,
    'Too many requests from this client.',
    'Wait as long as Retry-After says.',
    true,
  ),
  LIQUIDITY_SIGN_IN_LINK_INVALID: entry(
    400,
    'The sign-in link is unknown, used, expired, or was requested in another browser.',
    'Request a new link in the browser in which you open it.',
  ),

  LIQUIDITY_MEMBERSHIP_REFUSED: entry(
    409,
    'The membership cannot be changed like this.',
    'An organization keeps at least one owner; name another owner first.',
  ),

  LIQUIDITY_JOB_ENDED: entry(
    409,
    'The job has ended and cannot be cancelled.',
    'Read its result in /jobs.',
  ),

  // The state of the resource.
  LIQUIDITY_RESOURCE_NOT_FOUND: entry(
    404,
    'The resource is not available in this organization.',
    'Check the id and the organization.',
  ),
  LIQUIDITY_STUDIO_PRECONDITION_REQUIRED: entry(
    428,
    'The If-Match header is missing or malformed.',
    'Send If-Match with the quoted resourceVersion that you reviewed, for example If-Match: "0x…".',
  ),
  LIQUIDITY_PRECONDITION_FAILED: entry(
    412,
    'The resource has changed since the version that you reviewed.',
    'Read it again, review the change, and repeat with its ETag and a new Idempotency-Key.',
  ),
  LIQUIDITY_PRECONDITION_AMBIGUOUS: entry(
    400,
    'If-Match and resourceVersion name different versions.',
    'Send one of them, or the same version in both.',
  ),
  LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED: entry(
    409,
    'The secret of this request was delivered once and is not stored.',
    'Rotate the credential to obtain a new secret, or revoke it.',
  ),
  LIQUIDITY_CREDENTIAL_TERMINAL: entry(
    409,
    'The credential is revoked; that is final.',
    'Issue a new credential.',
  ),
  LIQUIDITY_CREDENTIAL_EXPIRY_PAST: entry(
    422,
    'The expiry of the credential lies in the past.',
    'Choose a later expiresAt, or omit it for a credential without an expiry.',
  ),
  LIQUIDITY_CREDENTIAL_SCOPE_EXCEEDS_ROLE: entry(
    422,
    'A scope exceeds what the role of its creator permits.',
    'Leave out the scopes named in fieldErrors.',
  ),
  LIQUIDITY_WEBHOOK_TERMINAL: entry(
    409,
    'The webhook is revoked; that is final.',
    'Register a new webhook.',
  ),
  LIQUIDITY_WEBHOOK_URL_REFUSED: entry(
    422,
    'The URL is not an acceptable receiver.',
    'Use an https URL of a public host, without user information.',
  ),
  LIQUIDITY_BOOKMARK_DUPLICATE: entry(
    409,
    'You have already saved this project.',
    'Use the bookmark that exists, or remove it first.',
  ),

  // Providers and chains.
  LIQUIDITY_PROVIDER_UNKNOWN: entry(
    404,
    'No active provider has this id in this organization.',
    'Register the provider with POST /providers, or use the id of one that GET /providers lists.',
  ),
  LIQUIDITY_PROVIDER_CONFIGURATION_INVALID: entry(
    422,
    'The provider cannot be admitted with this configuration.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_PROVIDER_PROBE_FAILED: entry(
    422,
    'The provider did not pass its admission probe.',
    'Check the endpoint, its chain and its credentials; the failed check is named in fieldErrors.',
  ),
  LIQUIDITY_PROVIDER_TERMINAL: entry(
    409,
    'The provider is revoked; that is final.',
    'Register a provider under a new providerId.',
  ),
  LIQUIDITY_CHAIN_UNAVAILABLE: entry(
    503,
    'The chain provider does not answer.',
    'Repeat the same request after a short wait; check the provider in GET /providers.',
    true,
  ),
  LIQUIDITY_CHAIN_REORGED: entry(
    503,
    'The chain was reorganized while it was read; nothing was written.',
    'Repeat the same request after a short wait.',
    true,
  ),
  LIQUIDITY_CHAIN_STATE_UNAVAILABLE: entry(
    503,
    'The provider does not have the state of this block; nothing was written.',
    'Use a provider with archive state, or a later block.',
    true,
  ),
  LIQUIDITY_CHAIN_PROVIDERS_DISAGREE: entry(
    503,
    'Two providers of this chain disagree; nothing was written.',
    'Find out which provider is wrong before you go on; they are never averaged.',
    true,
  ),

  // Venues.
  LIQUIDITY_VENUE_VALIDATION_FAILED: entry(
    422,
    'The venue does not pass its on-chain checks.',
    'Compare fieldErrors with the chain; each names the check, what was expected and what was observed.',
  ),
  LIQUIDITY_VENUE_PROFILE_INVALID: entry(
    422,
    'The venue profile contradicts itself.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_VENUE_DUPLICATE: entry(
    409,
    'This organization already has a venue with this chain and address.',
    'Use the existing venue.',
  ),
  LIQUIDITY_VENUE_TERMINAL: entry(
    409,
    'The venue is revoked; that is final.',
    'Create a new venue profile.',
  ),
  LIQUIDITY_VENUE_IDENTITY_IMMUTABLE: entry(
    409,
    'Kind, address and pair of a venue never change.',
    'Create a new venue for another market; this operation changes read metadata, caps and tags.',
  ),
  LIQUIDITY_VENUE_TRANSITION_REFUSED: entry(
    409,
    'The venue cannot move from its state to the requested one.',
    'DRAFT becomes VALIDATED; VALIDATED and PAUSED alternate; REVOKED is final.',
  ),
  LIQUIDITY_VENUE_NOT_VALIDATED: entry(
    409,
    'The venue is not validated.',
    'Validate it with PATCH /venues/{id} and status VALIDATED.',
  ),
  LIQUIDITY_VENUE_INDEX_RUNNING: entry(
    409,
    'An index job of this venue is already running.',
    'Wait for it; GET /jobs shows its progress.',
    true,
  ),
  LIQUIDITY_SCORE_REQUEST_INVALID: entry(
    422,
    'The market that was asked about cannot be judged as it is described.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_SCORE_SAMPLING_TOO_FINE: entry(
    422,
    'The window holds more samples than a score is measured from.',
    'Take samples further apart, a shorter window or fewer venues: at most 60,000 samples of a venue in all.',
  ),
  LIQUIDITY_SCORE_NOT_ACTIVATABLE: entry(
    409,
    'The score cannot become the one that holds for its pair.',
    'Activate a COMPLETED score of its newest generation whose confidence is at least 600,000 pips.',
  ),
  LIQUIDITY_SCORE_STALE: entry(
    409,
    'The window of the score ended more than a day ago.',
    'Judge the market anew with POST /scores and activate that.',
  ),
  LIQUIDITY_SCORE_SUPERSEDED: entry(
    409,
    'A score of a later window already holds for this pair.',
    'Activate a score whose window ends later.',
  ),
  LIQUIDITY_ANOMALY_SUBJECT_INVALID: entry(
    422,
    'The subject is none that this kind of anomaly can be looked for on.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_ANOMALY_STUDY_INCOMPATIBLE: entry(
    422,
    'The study is none that what happened can be compared with.',
    'Name a COMPLETED study on paths of the current generation, of the same venue and pair.',
  ),
  LIQUIDITY_VENUE_RANGE_INVALID: entry(
    422,
    'The block range cannot be indexed.',
    'Choose fromBlock at or after the start block of the venue and not after toBlock.',
  ),

  // Strategies.
  LIQUIDITY_STRATEGY_INPUT_INVALID: entry(
    422,
    'The strategy does not fit its venue.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_STRATEGY_WEIGHTS_SUM: entry(
    422,
    'The weights of the positions and idlePips do not sum to 1,000,000.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_STRATEGY_INVENTORY_BOUNDS: entry(
    422,
    'The target share of base lies outside its own bounds.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_STRATEGY_TICK_RANGE: entry(
    422,
    'A template is no range of this market.',
    'Use ticks that are multiples of the spacing of the pool, or a template by distance.',
  ),
  LIQUIDITY_STRATEGY_RULE_CYCLE: entry(
    422,
    'A rule would act again and again: its action leaves its own trigger true.',
    'Give the rule a cooldownSeconds above 0, or another action.',
  ),
  LIQUIDITY_STRATEGY_UNREACHABLE_RULE: entry(
    422,
    'A rule can never act.',
    'Correct its trigger, or remove the rule.',
  ),
  LIQUIDITY_STRATEGY_UNBOUNDED_TURNOVER: entry(
    422,
    'A rule swaps, and nothing bounds how much it turns over in a day.',
    'Set guards.maxTurnoverQuotePerDay.',
  ),
  LIQUIDITY_STRATEGY_GUARD_MISSING: entry(
    422,
    'A rule swaps without the guards of price and slippage.',
    'Set guards.maxTwapDeviationPips and guards.maxSwapSlippagePips.',
  ),
  LIQUIDITY_STRATEGY_CAPITAL_EXCEEDS_CAPS: entry(
    422,
    'The capital is zero, or more than the venue is allowed.',
    'Lower the capital, or raise the caps of the venue.',
  ),
  LIQUIDITY_STRATEGY_NOT_COMPILED: entry(
    422,
    'The strategy cannot be validated: the state of its venue is not known.',
    'Index the venue with POST /venues/{id}/index-jobs, then validate the strategy.',
  ),
  LIQUIDITY_STRATEGY_TERMINAL: entry(
    409,
    'The strategy is revoked; that is final.',
    'Create a new strategy.',
  ),
  LIQUIDITY_STRATEGY_TRANSITION_REFUSED: entry(
    409,
    'The strategy cannot move from its state to the requested one.',
    'DRAFT becomes VALIDATED; VALIDATED and PAUSED alternate; REVOKED is final. Running is decided by an autonomy policy.',
  ),
  LIQUIDITY_STRATEGY_ADMISSION_REFUSED: entry(
    422,
    'The strategy does not pass every gate of an admission.',
    'Each gate that failed is named in fieldErrors with what was found and its limit.',
  ),
  LIQUIDITY_LEGACY_HASH_MISMATCH: entry(
    422,
    'The v1 document does not have the hash that was named.',
    'Send the document exactly as it was sealed; its hash is SHA-256 of its RFC 8785 canonical JSON.',
  ),
  LIQUIDITY_LEGACY_UNMAPPED: entry(
    422,
    'The v1 document says something that a v2 strategy cannot say.',
    'Write a v2 strategy that does without the members named in fieldErrors, or covers them in another way.',
  ),
  LIQUIDITY_PACKAGE_TEMPLATE_INVALID: entry(
    422,
    'The template of the package is no strategy.',
    'Correct the fields named in fieldErrors; with its holes filled a template must be a definition.',
  ),
  LIQUIDITY_PACKAGE_TWIN_INVALID: entry(
    422,
    'The twin of the package cannot be run.',
    'Run the study at POST /sandbox/studies until it answers, with an arm that is the template at its defaults.',
  ),
  LIQUIDITY_PACKAGE_VERSION_REFUSED: entry(
    422,
    'A package must have a higher version than the one it supersedes.',
    'Raise version, or leave supersedes out.',
  ),
  LIQUIDITY_PACKAGE_TWIN_MISMATCH: entry(
    409,
    'The twin came to another result than the package claims.',
    'Find out why: another engine build, or a claim that was not computed. A corrected package is a new candidate.',
  ),
  LIQUIDITY_PACKAGE_SELF_APPROVAL: entry(
    409,
    'The author of a package does not approve it.',
    'Ask another operator or owner of the organization.',
  ),
  LIQUIDITY_PACKAGE_NOT_APPROVED: entry(
    409,
    'Only an approved package seeds strategies.',
    'Have the package approved, or use one that is ACTIVE.',
  ),
  LIQUIDITY_PACKAGE_PARAMETER_OUT_OF_BOUNDS: entry(
    422,
    'A parameter is none of the package, or outside its bounds.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_PACKAGE_TERMINAL: entry(
    409,
    'The package is revoked; that is final.',
    'Create another candidate that supersedes it.',
  ),
  LIQUIDITY_PACKAGE_TRANSITION_REFUSED: entry(
    409,
    'The package cannot move from its state to the requested one.',
    'A DRAFT is approved once; ACTIVE packages can be revoked.',
  ),

  // Allocation plans.
  LIQUIDITY_INCENTIVE_REQUEST_INVALID: entry(
    422,
    'The program is none.',
    'Correct the fields named in fieldErrors: each venue once, a start that lies ahead, a price for a reward that is not of the pair.',
  ),
  LIQUIDITY_INCENTIVE_BASELINE_REQUIRED: entry(
    400,
    'The baseline proves too little; nothing was stored.',
    'Index the venues for at least 28 days without rewards and name those observations; fieldErrors says what is missing.',
  ),
  LIQUIDITY_INCENTIVE_CONFIDENCE_INSUFFICIENT: entry(
    400,
    'The evidence does not carry the program; nothing was stored.',
    'Read in the message what was reached. Run a PILOT, make it longer, or give its evaluation as priorPrograms.',
  ),
  LIQUIDITY_INCENTIVE_ADAPTER_EVIDENCE_INVALID: entry(
    400,
    'The reward adapter is not what its evidence says; nothing was stored.',
    'Attest the distributor of the venue anew, with the hash of the code that is on the chain.',
  ),
  LIQUIDITY_INCENTIVE_PAYLOAD_REFUSED: entry(
    400,
    'A program is never changed.',
    'Leave payload out; revoke the program and optimize another.',
  ),
  LIQUIDITY_INCENTIVE_TERMINAL: entry(
    409,
    'The program has ended; that is final.',
    'Optimize another program.',
  ),
  LIQUIDITY_ALLOCATION_OPTION_INVALID: entry(
    422,
    'An option of the plan is none.',
    'Correct the options named in fieldErrors: of the pair, a range that fits the venue, a name used once.',
  ),
  LIQUIDITY_ALLOCATION_TARGET_INVALID: entry(
    422,
    'A target of the plan is none.',
    'Correct the targets named in fieldErrors: above zero, each said once, a slippage above the fee.',
  ),
  LIQUIDITY_ALLOCATION_RISK_STUDY_INCOMPATIBLE: entry(
    422,
    'The study cannot tell the risk of the plan.',
    'Name a COMPLETED MONTE_CARLO study of the pair, at least as long as the plan, with a GBM or JUMP_DIFFUSION price and no scenario.',
  ),
  LIQUIDITY_ALLOCATION_VENUE_NOT_VALIDATED: entry(
    409,
    'A venue of the plan is not validated.',
    'Validate it with PATCH /venues/{id} and status VALIDATED, or leave its options out.',
  ),

  // Studies.
  LIQUIDITY_STUDY_INPUT_INVALID: entry(
    422,
    'The study contradicts itself or names inputs that do not fit together.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_STUDY_WINDOW_UNCOVERED: entry(
    422,
    'The observations do not cover the window.',
    'Index the missing blocks, or choose a window inside the observations.',
  ),
  LIQUIDITY_STUDY_TICK_UNALIGNED: entry(
    422,
    'A tick is not a multiple of the spacing of the pool.',
    'Align the ticks to the spacing of the venue.',
  ),
  LIQUIDITY_STUDY_CAPITAL_ZERO: entry(
    422,
    'The capital of the study is zero.',
    'Give base, quote or both.',
  ),
  LIQUIDITY_STUDY_REFERENCE_REQUIRED: entry(
    422,
    'This study needs a reference price.',
    'Name a reference.',
  ),
  LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE: entry(
    422,
    'A strategy of the study does not compile.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_STUDY_BUDGET_EXCEEDED: entry(
    422,
    'The study is larger than this deployment allows.',
    'Shorten the window, use fewer arms, or raise the limit of the deployment.',
  ),
  LIQUIDITY_STUDY_MODEL_UNCALIBRATABLE: entry(
    422,
    'The data are too few to calibrate the model.',
    'Give the parameters, or a window with at least 500 returns.',
  ),
  LIQUIDITY_STUDY_NOT_TERMINAL: entry(
    409,
    'The study is still running.',
    'Wait for its job to end.',
  ),
  LIQUIDITY_STUDY_GENERATION_MISMATCH: entry(
    409,
    'The named version is not a version of this study.',
    'Read the study again and use its resourceVersion.',
  ),
  LIQUIDITY_STUDY_FAILED: entry(
    409,
    'The study failed, so there is nothing to report.',
    'Run it again; its job says what went wrong.',
  ),
  LIQUIDITY_STUDY_REPORT_BRAND_UNKNOWN: entry(
    422,
    'No partner of this id lends its name to reports.',
    'Leave brandPartnerId out, or name an active partner.',
  ),
  LIQUIDITY_STUDY_SHARE_SLUG_TAKEN: entry(409, 'This slug is taken.', 'Choose another slug.'),
  LIQUIDITY_STUDY_SHARE_TERMINAL: entry(
    409,
    'The share is revoked or expired; that is final.',
    'Create a new share.',
  ),
  LIQUIDITY_SANDBOX_BUDGET_EXCEEDED: entry(
    422,
    'The sandbox runs at most three seconds of work.',
    'Use POST /studies for larger work.',
  ),
  LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE: entry(
    404,
    'No shared study has this address.',
    'Ask for a new link.',
  ),
  LIQUIDITY_SOURCE_UNAVAILABLE: entry(
    404,
    'A named source does not exist in this organization.',
    'Check the references named in fieldErrors.',
  ),
  LIQUIDITY_SOURCE_VERSION_CHANGED: entry(
    412,
    'A named source has another current version.',
    'Read the source again and review the change.',
  ),

  // Attribution of executions.
  LIQUIDITY_ATTRIBUTION_INPUT_INVALID: entry(
    422,
    'The attribution contradicts itself or the chain.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_ATTRIBUTION_TRADER_MISMATCH: entry(
    422,
    'The trader took no part in a transaction.',
    'Name the wallet that gave or received the base token in every transaction.',
  ),
  LIQUIDITY_ATTRIBUTION_PAIR_NOT_IN_TRANSACTION: entry(
    422,
    'A transaction does not trade this pair in this direction.',
    'Compare pair, side, venueId and txHash; leave out transactions of other orders.',
  ),
  LIQUIDITY_ATTRIBUTION_OVERFILLED: entry(
    422,
    'The transactions filled more than was intended.',
    'Name the whole order in intended.base, or leave out transactions of other orders.',
  ),
  LIQUIDITY_ATTRIBUTION_DECISION_AFTER_FILL: entry(
    422,
    'The decision or the arrival is later than the first fill.',
    'Name the time and block at which the trade was decided, before its first transaction.',
  ),
  LIQUIDITY_ATTRIBUTION_NOT_FINAL: entry(
    409,
    'A transaction, or the horizon of what was not filled, is not in a final block yet.',
    'Repeat the request under a new Idempotency-Key when the block is final; check the hashes of the transactions.',
    true,
  ),
  // Migrations.
  LIQUIDITY_MIGRATION_INPUT_INVALID: entry(
    422,
    'The plan contradicts itself.',
    'Correct the fields named in fieldErrors.',
  ),
  LIQUIDITY_MIGRATION_POSITION_INVALID: entry(
    422,
    'A position is not what the plan says, or the wallet cannot move it.',
    'Compare the position with the chain; its owner must be the wallet of the plan.',
  ),
  LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN: entry(
    422,
    'A contract through which the plan would act is missing or is not the known one of its factory.',
    'Name positionManager, swapRouter or v2Router in payload.contracts, as fieldErrors say.',
  ),
  LIQUIDITY_MIGRATION_VENUE_NOT_VALIDATED: entry(
    409,
    'A venue of the plan is not validated.',
    'Validate the venue; only a target whose pool does not exist yet may be a draft.',
  ),
  LIQUIDITY_MIGRATION_FLOOR_UNREACHABLE: entry(
    422,
    'No number of tranches up to 64 keeps every depth floor after every step.',
    'Lower the floor named in fieldErrors, add a target, or move less.',
  ),
  LIQUIDITY_MIGRATION_STEP_REFUSED: entry(
    422,
    'A step of the plan would not be sent.',
    'Change what fieldErrors name: the step, and why its simulation ended there.',
  ),
  LIQUIDITY_MIGRATION_TERMINAL: entry(
    409,
    'The migration has ended; that is final.',
    'Make a new plan.',
  ),
  LIQUIDITY_MIGRATION_TRANSITION_REFUSED: entry(
    409,
    'The migration is in a state that has no such transition.',
    'Read GET /migration-plans/{id}/state: allowedTransitions names what is open.',
  ),
  LIQUIDITY_MIGRATION_STALE: entry(
    409,
    'The final block that the provider has is too old to simulate on.',
    'Repeat when the chain has moved on, or use another provider.',
  ),
  LIQUIDITY_MIGRATION_NOT_APPROVED: entry(
    409,
    'No approved decision that is still valid names this generation of the plan.',
    'Have a decision packet approved that names the plan with its current resourceVersion.',
  ),
  LIQUIDITY_MIGRATION_NO_RETURN_UNACKNOWLEDGED: entry(
    409,
    'The plan has steps without a way back that were not acknowledged.',
    'Send exactly the steps whose pointOfNoReturn is true as acknowledgedNoReturn.',
  ),
  LIQUIDITY_MIGRATION_POSITION_BUSY: entry(
    409,
    'The wallet or a position of it belongs to another plan that is under way.',
    'Complete the other plan or take it back first.',
  ),
  LIQUIDITY_MIGRATION_STEP_ORDER: entry(
    409,
    'This step is not the one that is next, or not that far.',
    'Read GET /migration-plans/{id}/state: step is the next one, inFlight how far it is.',
  ),
  LIQUIDITY_MIGRATION_IN_FLIGHT: entry(
    409,
    'A transaction of the plan is under way.',
    'Have it confirmed and verified, or prove that it failed.',
  ),
  LIQUIDITY_MIGRATION_PRECONDITION: entry(
    409,
    'The step must not be sent as things stand.',
    'Wait, or pause and resume to have the rest simulated again; fieldErrors say what does not hold.',
  ),
  LIQUIDITY_MIGRATION_NOT_FINAL: entry(
    409,
    'The transaction is not in a final block yet.',
    'Repeat when its block is final.',
  ),
  LIQUIDITY_MIGRATION_CALL_MISMATCH: entry(
    409,
    'The transaction does not make exactly the calls of the step.',
    'Name the transaction that does; if another one was sent in its place, prove the failure of this one.',
  ),
  LIQUIDITY_MIGRATION_FAILURE_UNPROVEN: entry(
    409,
    'Neither a receipt nor the nonce of the wallet proves that the transaction failed.',
    'Wait for its receipt, or use its nonce for another transaction.',
  ),
  LIQUIDITY_MIGRATION_FUNDS_IN_TRANSIT: entry(
    409,
    'A transaction of the plan was sent, so it cannot be cancelled.',
    'Use ROLLBACK to go back, or complete the plan.',
  ),
  LIQUIDITY_MIGRATION_INCOMPLETE: entry(
    409,
    'The migration is not complete: something is left, missing or still approved.',
    'See fieldErrors; verify the remaining steps or revoke the approval.',
  ),
  LIQUIDITY_MIGRATION_NO_WAY_BACK: entry(
    409,
    'The way back to this checkpoint is not open.',
    'Choose another checkpoint of GET /migration-plans/{id}/state, or resume.',
  ),

  // Public project routes and offers: codes of the specification.
  PUBLIC_PROJECT_INVALID_INPUT: entry(
    400,
    'The identifier is not one that this service can resolve.',
    'Send { chainId, address }, { marketId } or { query }, at most 2 KiB.',
  ),
  PUBLIC_PROJECT_BUSY: entry(
    429,
    'Too many project requests.',
    'Wait as long as Retry-After says.',
    true,
  ),
  PUBLIC_PROJECT_UNAVAILABLE: entry(
    503,
    'The sources of this answer are not available.',
    'Repeat later.',
    true,
  ),
  PUBLIC_PROJECT_TIMEOUT: entry(
    503,
    'The sources did not answer in time.',
    'Repeat after a short wait.',
    true,
  ),
  PUBLIC_INVESTIGATION_INVALID_INPUT: entry(
    400,
    'The question or quote size is not one that this service answers.',
    'Ask RESERVE_SCALE with a quote size in atomic units, at most 2 KiB.',
  ),
  PUBLIC_INVESTIGATION_BUSY: entry(
    429,
    'Too many investigations.',
    'Wait as long as Retry-After says.',
    true,
  ),
  PUBLIC_INVESTIGATION_UNAVAILABLE: entry(
    503,
    'The sources of this answer are not available.',
    'Repeat later.',
    true,
  ),
  PUBLIC_INVESTIGATION_TIMEOUT: entry(
    503,
    'The sources did not answer in time.',
    'Repeat after a short wait.',
    true,
  ),
  PUBLIC_PLANS_BUSY: entry(
    429,
    'Too many requests for the plans.',
    'Wait as long as Retry-After says.',
    true,
  ),
  PUBLIC_ACP_OFFERING_BUSY: entry(
    429,
    'Too many requests for the offering.',
    'Wait as long as Retry-After says.',
    true,
  ),

  // Ours.
  LIQUIDITY_STORE_UNAVAILABLE: entry(
    503,
    'The database does not answer; nothing was written.',
    'Repeat the same request with the same Idempotency-Key.',
    true,
  ),
  LIQUIDITY_CONTENTION: entry(
    503,
    'Other changes of the same resource came first, repeatedly; nothing was written.',
    'Repeat the same request with the same Idempotency-Key.',
    true,
  ),
  LIQUIDITY_SHUTTING_DOWN: entry(
    503,
    'This node is shutting down.',
    'Repeat the same request; another node will answer.',
    true,
  ),
  LIQUIDITY_INTERNAL_ERROR: entry(
    500,
    'The service failed; nothing was written.',
    'Repeat the same request; give the correlation id to the operator if it fails again.',
    true,
  ),
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof errorCatalogue

export const FieldErrors = mapOf(
  Type.Array(Type.String()),
  'What is wrong, by field path (`payload.pair.base`); each message names what was expected and what came.',
)

/** The one envelope of all failures. */
export const ApiError = named(
  'ApiError',
  closed({
    code: Type.String({ description: 'Stable code of the catalogue; programs decide on it.' }),
    message: Type.String({ description: 'For people; may change.' }),
    correlationId: Type.String({
      description: 'Fresh for every attempt; finds the attempt in the log.',
    }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
    fieldErrors: Type.Optional(FieldErrors),
    remediation: Type.Optional(Type.String({ description: 'What to do next.' })),
  }),
)

/** What a secret that was already delivered says about itself. */
export const SecretMetadata = closed({
  resourceType: Type.String(),
  resourceId: Type.String(),
  resourceVersion: Type.String(),
  issuedAt: Type.String(),
})

export const ErrorEnvelope = named(
  'ErrorEnvelope',
  closed({ error: ApiError, metadata: Type.Optional(SecretMetadata) }),
)
export type ErrorEnvelope = Static<typeof ErrorEnvelope>
export type FieldErrors = Record<string, string[]>
