import type { contract } from '@liquidity-os/contract'
import { type SimulatedMarket, simulatedMarketOf } from '@liquidity-os/contract/test-networks'
import { decimalText } from '../../../../reports/cell-text.ts'
import { daySeconds, hourSeconds } from '../../../../units.ts'

export type Payload = contract.LiquidityPassport
type Brand = NonNullable<Payload['reportBrand']>
/**
 * Simulated-market notice if the evidence is from a test network. Not part of the signed payload.
 */
export const simulatedOf = ({ sourceBindings }: Payload): SimulatedMarket | null =>
  simulatedMarketOf(sourceBindings.blocks.map(({ chainId }) => chainId))

export type Pair = contract.QualifiedVault['pair']

const percentOf = (pips: number) => `${decimalText(BigInt(pips), 4)} %`

/** A readable date and time: `5 January 2026, 12:00 UTC`. */
export function timeWords(time: string): string {
  const date = new Date(time)
  const month = months[date.getUTCMonth()]
  const clock = date.toISOString().slice(11, 16)
  return `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}, ${clock} UTC`
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December'],
] as const

/** A duration in its largest whole unit. */
export function lengthWords(seconds: number): string {
  const units = [
    [daySeconds, 'day'],
    [hourSeconds, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? units[3]
  const count = Math.floor(seconds / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

export const undisclosed = 'not disclosed by the issuer'
export const unmeasurable = 'not measurable'

/** Slippage as text. At 100 % or more, the size cannot be filled. */
export const slippageWords = (pips: number) =>
  pips >= 1_000_000 ? 'cannot be filled, or costs 100 %' : percentOf(pips)

export const quoteWords = (atoms: string, { quoteDecimals }: Pair) =>
  `${decimalText(BigInt(atoms), quoteDecimals)} quote tokens`

/** Claims of a passport, most relevant first. */
export function claimRows(payload: Payload, pair: Pair): (readonly [string, string])[] {
  const { policyCompliancePips: compliance, policyLimits, incidentDetails } = payload
  const amount = (atoms: string | undefined) =>
    atoms === undefined ? undisclosed : quoteWords(atoms, pair)
  const { externalManagerNames: names } = payload
  return [
    ['Time with tradable liquidity on both sides', percentOf(payload.historicalReliabilityPips)],
    [
      'Executions within policy, last 90 days',
      compliance === null ? `${unmeasurable}: no executions` : percentOf(compliance),
    ],
    ['Major incidents, last 90 days', `${payload.majorIncidentCount}`],
    ['Positions reconciled with the chain', `${payload.reconciledPositionCount}`],
    ['Age of the oldest source at issuance', lengthWords(payload.dataFreshnessSeconds)],
    ['Treasury-owned liquidity', amount(payload.treasuryOwnedLiquidityQuote)],
    ['Incentivized (rented) liquidity', amount(payload.rentedLiquidityQuote)],
    ['Held by external managers', amount(payload.externalManagerExposureQuote)],
    [
      'External managers',
      names === undefined ? undisclosed : names.length === 0 ? 'none' : names.join(', '),
    ],
    [
      'Policy limits',
      payload.disclosure.showPolicyLimits
        ? policyLimits
          ? policyWords(policyLimits, pair)
          : 'no policy in force'
        : undisclosed,
    ],
    [
      'Incidents',
      incidentDetails === undefined
        ? undisclosed
        : incidentDetails.anomalies.length === 0
          ? 'none at WARNING or above'
          : incidentDetails.anomalies
              .map(({ kind, severity }) => `${severity} ${kind.toLowerCase().replaceAll('_', ' ')}`)
              .join('; '),
    ],
  ]
}

function policyWords(limits: NonNullable<Payload['policyLimits']>, pair: Pair): string {
  const amount = (atoms: string) => quoteWords(atoms, pair)
  return [
    `autonomy level ${limits.level}`,
    `at most ${amount(limits.maximumAmountPerTransaction)} per transaction`,
    `at most ${amount(limits.maximumDailyTurnover)} per day`,
    `at most ${percentOf(limits.maximumSlippagePips)} slippage`,
    `expires ${timeWords(limits.expiresAt)}`,
  ].join(', ')
}

/** Ids and hashes of the source records, to look them up in the service. */
export function sourceRows(payload: Payload): [string, string][] {
  const { sourceBindings: bound, reportHashes, reportBrand } = payload
  const block = ({ chainId, number, hash }: (typeof bound.blocks)[number]) =>
    `chain ${chainId}, block ${number}, ${hash}`
  return [
    ['Vault', `${bound.vault.id}, epoch ${bound.controlEpoch}`],
    ['Score', bound.marketQualityScore.id],
    ...bound.venueObservations.map(({ id }, index): [string, string] => [
      `Observation ${index + 1}`,
      id,
    ]),
    ['Policy', bound.policy?.id ?? 'none'],
    ['Reconciliation', bound.reconciliation?.id ?? 'none within seven days'],
    ['Receipts', `${bound.receipts.count}, root ${bound.receipts.root}`],
    ['Anomalies', `${bound.anomalies.count}, root ${bound.anomalies.root}`],
    ['Ledger entries', `${bound.ledgerEntries.count}, root ${bound.ledgerEntries.root}`],
    ...reportHashes.map((hash): [string, string] => ['Report', hash]),
    ...(reportBrand ? brandRows(reportBrand) : []),
    ['Engine', bound.engineVersion],
    ...bound.blocks.map((one): [string, string] => ['Block', block(one)]),
  ]
}

const unseen = /[\p{Cc}\p{Cf}]/gu

/**
 * Text for the brand of a passport. The brand does not vouch for the figures. A brand name is not
 * verified, so the text includes the verified host.
 */
export function brandWords({ name }: Brand, host: string | null): string {
  const whose = host === null ? '' : ` (${host})`
  return `Brand: ${name.replace(unseen, '')}${whose}. The brand owner does not confirm these claims`
}

function brandRows({ partnerId, accentColor, logoContentHash, sourceBinding }: Brand) {
  return [
    ['Brand', `${partnerId}, ${accentColor}`],
    ...(logoContentHash === undefined ? [] : [['Brand logo', logoContentHash]]),
    ['Brand consent', `${sourceBinding.consentId}, ${sourceBinding.consentArtifactHash}`],
  ] as [string, string][]
}
