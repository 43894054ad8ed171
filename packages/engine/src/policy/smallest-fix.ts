import type { ActionFacts, RuleVerdict } from './rules.ts'
import type { PolicyTerms } from './terms.ts'

export interface Fix {
  readonly changes: readonly {
    readonly pointer: string
    readonly from: string
    readonly to: string
  }[]
  /** Whether the changes turn every refusal into an allowance. */
  readonly isReachable: boolean
}

/** Changeable parts of an action. Amounts are atoms of the input and output tokens. */
export interface Changeable {
  readonly amountIn: bigint | null
  readonly minimumOut: bigint | null
  /** Output for `amountIn` at the mid price, rounded down. */
  readonly quotedOut: bigint | null
}

const mending: readonly string[] = ['R08', 'R09', 'R10', 'R11', 'R14']

/**
 * The smallest change of amount, minimum output, route or start that turns every DENY into ALLOW.
 *
 * The amount is the largest that both caps allow, by proportion, rounded down. The minimum output
 * is its mid-price output less the allowed slippage, rounded up.
 *
 * @returns null if no rule denies; not reachable if a denial has another cause
 */
export function smallestFix(
  terms: PolicyTerms,
  facts: ActionFacts,
  rules: readonly RuleVerdict[],
  { amountIn, minimumOut, quotedOut }: Changeable,
): Fix | null {
  const denied = rules.flatMap(({ ruleId, outcome }) => (outcome === 'DENY' ? [ruleId] : []))
  if (denied.length === 0) return null
  const none = { changes: [], isReachable: false }
  if (denied.some((ruleId) => !mending.includes(ruleId))) return none
  const changes: { pointer: string; from: string; to: string }[] = []
  let amount = amountIn
  if (denied.includes('R08') || denied.includes('R09')) {
    const { amountQuote, turnoverQuote } = facts
    if (amountIn === null || amountQuote === null || amountQuote === 0n) return none
    const left = terms.maximumDailyTurnover - (turnoverQuote ?? 0n)
    const room = left < terms.maximumAmountPerTransaction ? left : terms.maximumAmountPerTransaction
    if (room <= 0n) return none
    amount = (amountIn * room) / amountQuote
    if (amount === 0n) return none
    changes.push({ pointer: '/payload/action/amountIn', from: `${amountIn}`, to: `${amount}` })
  }
  const isScaled = amount !== amountIn
  if (denied.includes('R10') || (isScaled && minimumOut !== null)) {
    if (amount === null || amountIn === null || quotedOut === null || minimumOut === null)
      return none
    const quoted = isScaled ? (quotedOut * amount) / amountIn : quotedOut
    const kept = 1_000_000n - BigInt(terms.maximumSlippagePips)
    const least = (quoted * kept + 999_999n) / 1_000_000n
    if (least === 0n) return none
    const pointer = '/payload/action/minimumOut'
    if (least !== minimumOut) changes.push({ pointer, from: `${minimumOut}`, to: `${least}` })
  }
  if (denied.includes('R11')) {
    const wait = terms.minimumSecondsBetweenActions - (facts.secondsSinceLast ?? 0)
    const start = facts.at + wait
    if (start >= facts.expiresAt) return none
    changes.push({ pointer: '/startAt', from: `${facts.at}`, to: `${start}` })
  }
  if (denied.includes('R14')) {
    const pointer = '/payload/action/route'
    changes.push({ pointer, from: 'PUBLIC_MEMPOOL', to: 'PRIVATE' })
  }
  return { changes, isReachable: true }
}
