import type { contract } from '@liquidity-os/contract'

export type NodeHealth = contract.ProviderHealth

/** Label and tone of a node state. The tone is a state of the console. */
export const nodeStates: Readonly<Record<NodeHealth['state'], readonly [string, string]>> = {
  UP: ['Up', 'ON_TIME'],
  SLOW: ['Slow', 'LATE'],
  LAGGING: ['Behind', 'LATE'],
  LIMITED: ['Rate limited', 'WARNING'],
  QUOTA: ['Quota used up', 'WARNING'],
  DOWN: ['Down', 'CRITICAL'],
  UNKNOWN: ['Not probed', 'PENDING'],
}

const limitTexts: Readonly<
  Record<NodeHealth['limits'][number]['name'], (value: string) => string>
> = {
  CALLS_PER_SECOND: (value) => `The node accepts about ${value} calls per second.`,
  CALLS_PER_REQUEST: (value) =>
    value === '1'
      ? 'The node accepts no batches: each request has one call.'
      : `A request has at most ${value} calls.`,
  LOG_BLOCKS: (value) =>
    value === '1'
      ? 'A request reads the logs of one block.'
      : `A request reads the logs of at most ${value} blocks.`,
  CONCURRENT_REQUESTS: (value) => `The node accepts ${value} concurrent requests.`,
  CREDITS_PER_DAY: (value) => `The plan has ${value} credits per day.`,
}

/** Learned limits in sentences, with the time when the service learned each. */
export const learnedLimits = ({ limits }: NodeHealth) =>
  limits.flatMap(({ name, learned, learnedAt }) =>
    learned === null || learnedAt === null
      ? []
      : [{ name, text: limitTexts[name](learned.toLocaleString('en-US')), learnedAt }],
  )

type Depth = 'stateDepthBlocks' | 'logDepthBlocks'
type Capability = Exclude<keyof NodeHealth['capabilities'], Depth>

/** Consequence of a capability that the node has, and of one that it lacks. */
const consequences: Readonly<Record<Capability, readonly [string, string]>> = {
  finalizedTag: [
    'Reports finalized blocks.',
    'Reports no finalized block: set a number of confirmations.',
  ],
  blockHashPin: [
    'Reads state by block hash.',
    'Reads state by block number: the service checks the hash before and after.',
  ],
  archiveState: [
    'Has the state of old blocks.',
    'Has no state of old blocks: index new venues from a recent block.',
  ],
  proofs: [
    'Serves proofs of balances.',
    'Serves no proofs: balances rely on the responses of the nodes.',
  ],
  simulateV1: [
    'Simulates transactions with all effects.',
    'Simulates no transaction bundles: checks of packets show fewer effects.',
  ],
}

const depthTexts: Readonly<Record<Depth, string>> = {
  stateDepthBlocks: 'Serves state of at least',
  logDepthBlocks: 'Serves logs of at least',
}

/** How far back the node serves state and logs. */
export const depthLines = ({ capabilities }: NodeHealth) =>
  (Object.keys(depthTexts) as Depth[]).flatMap((name) => {
    const blocks = capabilities[name]
    if (blocks === null) return []
    return [
      { name, text: `${depthTexts[name]} the last ${blocks.toLocaleString('en-US')} blocks.` },
    ]
  })

/** Configured limits in words. */
export const configuredLimits = ({ limits, creditsUsed }: NodeHealth) =>
  limits.flatMap(({ name, configured }) => {
    if (name !== 'CREDITS_PER_DAY' || configured === null) return []
    const shown = [creditsUsed, configured].map((value) => value.toLocaleString('en-US'))
    return [{ name, text: `${shown[0]} of ${shown[1]} credits used on this day.` }]
  })

/** Known capabilities in sentences. */
export const capabilityLines = ({ capabilities }: NodeHealth) =>
  (Object.keys(consequences) as Capability[]).flatMap((name) => {
    const isServed = capabilities[name]
    return isServed === null ? [] : [{ name, isServed, text: consequences[name][isServed ? 0 : 1] }]
  })

/** Call and cause of the last error in one line. */
export function lastErrorText({ lastError }: NodeHealth): string | null {
  if (lastError === null) return null
  const { method, reason, httpStatus, rpcCode } = lastError
  const codes = [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(rpcCode === null ? [] : [`code ${rpcCode}`]),
  ]
  const cause = reasonTexts[reason] ?? reason.toLowerCase().replaceAll('_', ' ')
  const head = method === null ? cause : `${method}: ${cause}`
  return codes.length === 0 ? head : `${head} (${codes.join(', ')})`
}

const reasonTexts: Readonly<Record<string, string>> = {
  TIMEOUT: 'no response within the time limit',
  NETWORK: 'no connection',
  ADDRESS_REFUSED: 'the deployment forbids the address',
  HTTP_STATUS: 'no result',
  ANSWER_TOO_LARGE: 'response too large',
  RATE_LIMITED: 'rate limit',
  QUOTA_EXHAUSTED: 'quota used up',
  REQUEST_REFUSED: 'refused',
  RANGE_REFUSED: 'one block has too many logs',
  INCONSISTENT_ANSWER: 'response does not match the request',
}
