import type { PolicyTerms } from './terms.ts'

export type RuleOutcome = 'ALLOW' | 'DENY' | 'INDETERMINATE'

/** Result of one rule. Texts are for users; `limit` and `observed` are exact. */
export interface RuleVerdict {
  readonly ruleId: `R${string}`
  readonly name: string
  readonly outcome: RuleOutcome
  readonly field: string
  readonly limit: string | null
  readonly observed: string | null
  /** Distance to the limit, in its unit; negative outside of the limit. Null without a measure. */
  readonly margin: bigint | null
  readonly explanation: string
}

export type Route = 'PRIVATE' | 'BATCH_AUCTION' | 'SIGNED_QUOTE' | 'PUBLIC_MEMPOOL'

/** Known facts of an action. Null is unknown and makes the dependent rules INDETERMINATE. */
export interface ActionFacts {
  readonly status: 'ACTIVE' | 'PAUSED' | 'REVOKED' | 'EXPIRED' | 'HYPOTHETICAL'
  /** Unix seconds: the moment of the action, and the end of the policy. */
  readonly at: number
  readonly expiresAt: number
  readonly controlEpoch: bigint | null
  /** Minimum level for the request: 2 prepare, 3 stage, 4 bounded. */
  readonly neededLevel: 2 | 3 | 4
  /** Every target, in lower case; null if the calls are unknown. */
  readonly targets: readonly string[] | null
  /** Every token that moves, in lower case. */
  readonly assets: readonly string[] | null
  readonly adapter: {
    readonly id: string | null
    readonly isInRelease: boolean | null
    readonly isCodeKnown: boolean | null
    /** Reason for an unknown or different code; null without one. */
    readonly problem?: string | null
  }
  /** Quote atoms, rounded up. */
  readonly amountQuote: bigint | null
  /** Turnover of the preceding 86,400 seconds, without this action; quote atoms, rounded up. */
  readonly turnoverQuote: bigint | null
  /** Maximum loss against the mid price, millionths rounded up. Some actions have none. */
  readonly slippagePips: bigint | 'NOT_APPLICABLE' | null
  /** Null if unknown, Infinity without an earlier action. */
  readonly secondsSinceLast: number | null
  readonly priceAgeSeconds: number | null
  /** Quote atoms for a base atom, times 10^36. */
  readonly midPriceX36: bigint | null
  /** Liquidity changes have no execution price. */
  readonly executionPriceX36: bigint | 'NOT_APPLICABLE' | null
  readonly route: Route | null
  /** Result of the compiled conditions on the calldata; null if it cannot be decoded. */
  readonly calldata: { readonly holds: boolean; readonly path: string | null } | null
  /**
   * Whether every call is plain, or a delegate call to a listed batch contract; null if the code is
   * unknown.
   */
  readonly isPlain: boolean | null
}

/** Minimum significant digits of a price bound, as a number. Coarser bounds are too imprecise. */
const leastSignificant = 1_000n
const x18 = 10n ** 18n

/**
 * Evaluates an action against all sixteen rules of a policy; a decided result skips no rule.
 *
 * Prices are compared exactly as X36 with the bounds times 10^18. A rule with unknown facts is
 * INDETERMINATE.
 */
export function judgeAction(terms: PolicyTerms, facts: ActionFacts): RuleVerdict[] {
  return [
    ...identityRules(terms, facts),
    ...setRules(terms, facts),
    ...amountRules(terms, facts),
    ...timeAndPriceRules(terms, facts),
    ...callRules(terms, facts),
  ]
}

/** DENY if any rule denies, else INDETERMINATE if any is, else ALLOW. */
export function verdictOf(rules: readonly Pick<RuleVerdict, 'outcome'>[]): RuleOutcome {
  const has = (outcome: RuleOutcome) => rules.some((rule) => rule.outcome === outcome)
  return has('DENY') ? 'DENY' : has('INDETERMINATE') ? 'INDETERMINATE' : 'ALLOW'
}

type Told = Omit<RuleVerdict, 'ruleId' | 'name' | 'field' | 'outcome' | 'margin'> & {
  readonly margin?: bigint | null
}
const rule = (
  [ruleId, name, field]: readonly [RuleVerdict['ruleId'], string, string],
  holds: boolean | null,
  told: Told,
): RuleVerdict => ({
  ruleId,
  name,
  field,
  outcome: holds === null ? 'INDETERMINATE' : holds ? 'ALLOW' : 'DENY',
  margin: null,
  ...told,
})

function identityRules(terms: PolicyTerms, facts: ActionFacts): RuleVerdict[] {
  const { status, at, expiresAt, controlEpoch, neededLevel } = facts
  return [
    rule(['R01', 'STATUS', 'status'], status === 'ACTIVE' || status === 'HYPOTHETICAL', {
      limit: 'ACTIVE',
      observed: status,
      explanation:
        status === 'HYPOTHETICAL'
          ? 'These limits are not a policy yet and are evaluated as if active.'
          : 'Only an active policy allows actions.',
    }),
    rule(['R02', 'EXPIRY', 'expiresAt'], at < expiresAt, {
      limit: terms.expiresAt,
      observed: `${at}`,
      margin: BigInt(expiresAt - at),
      explanation: 'The action must precede the end of the policy. Margin in seconds.',
    }),
    rule(
      ['R03', 'EPOCH', 'controlEpoch'],
      controlEpoch === null ? null : controlEpoch === terms.controlEpoch,
      {
        limit: `${terms.controlEpoch}`,
        observed: text(controlEpoch),
        explanation: 'Control of the vault must be unchanged since the policy was admitted.',
      },
    ),
    rule(['R04', 'LEVEL', 'level'], terms.level >= neededLevel, {
      limit: `${terms.level}`,
      observed: `${neededLevel}`,
      margin: BigInt(terms.level - neededLevel),
      explanation: 'Preparation requires level 2, staging 3, bounded action 4.',
    }),
  ]
}

const text = (value: bigint | number | null) => (value === null ? null : `${value}`)

function setRules(terms: PolicyTerms, { targets, assets, adapter }: ActionFacts): RuleVerdict[] {
  const outside = (items: readonly string[] | null, approved: readonly string[]) => {
    const known = new Set(approved.map((one) => one.toLowerCase()))
    return items === null ? null : items.filter((one) => !known.has(one.toLowerCase()))
  }
  // An allowance is given at the token itself, which is approved as an asset.
  const foreign = outside(targets, [...terms.approvedContracts, ...terms.approvedAssets])
  const moved = outside(assets, terms.approvedAssets)
  const isApproved = adapter.id !== null && terms.approvedAdapterIds.includes(adapter.id)
  const isKnown =
    adapter.id === null || adapter.isInRelease === null || adapter.isCodeKnown === null
      ? null
      : adapter.isInRelease && adapter.isCodeKnown
  return [
    rule(['R05', 'CONTRACT', 'approvedContracts'], foreign && foreign.length === 0, {
      limit: `${terms.approvedContracts.length} approved`,
      observed: foreign && (foreign.join(', ').slice(0, 400) || 'all approved'),
      explanation: 'Every target must be approved.',
    }),
    rule(['R06', 'ASSET', 'approvedAssets'], moved && moved.length === 0, {
      limit: `${terms.approvedAssets.length} approved`,
      observed: moved && (moved.join(', ').slice(0, 400) || 'all approved'),
      explanation: 'Every token that moves must be approved.',
    }),
    rule(
      ['R07', 'ADAPTER', 'approvedAdapterIds'],
      adapter.id !== null && !isApproved ? false : isKnown,
      {
        limit: terms.approvedAdapterIds.join(', ').slice(0, 400) || 'none',
        observed: adapter.id,
        explanation: `The adapter must be approved and in the signed release, and the target must have the signed code.${adapter.problem ? ` ${adapter.problem}` : ''}`,
      },
    ),
  ]
}

const untraded = (limit: string): [boolean, Told] => [
  true,
  { limit, observed: null, explanation: 'Not applicable: the action trades no token.' },
]

function amountRules(terms: PolicyTerms, facts: ActionFacts): RuleVerdict[] {
  const { amountQuote, turnoverQuote, slippagePips } = facts
  const { maximumAmountPerTransaction: each, maximumDailyTurnover: daily } = terms
  const sum = amountQuote === null || turnoverQuote === null ? null : amountQuote + turnoverQuote
  const most = BigInt(terms.maximumSlippagePips)
  const slippage = 'Maximum slippage vs the mid price, rounded up.'
  const below = (
    value: bigint | null,
    limit: bigint,
    explanation: string,
  ): [boolean | null, Told] => [
    value === null ? null : value <= limit,
    {
      limit: `${limit}`,
      observed: text(value),
      explanation,
      margin: value === null ? null : limit - value,
    },
  ]
  return [
    rule(
      ['R08', 'AMOUNT', 'maximumAmountPerTransaction'],
      ...below(amountQuote, each, 'Input amount, in quote atoms, rounded up.'),
    ),
    rule(
      ['R09', 'DAILY_TURNOVER', 'maximumDailyTurnover'],
      ...below(
        sum,
        daily,
        'This action plus actions executed or in progress in the last 86,400 seconds.',
      ),
    ),
    rule(
      ['R10', 'SLIPPAGE', 'maximumSlippagePips'],
      ...(slippagePips === 'NOT_APPLICABLE'
        ? untraded(`${most}`)
        : below(slippagePips, most, slippage)),
    ),
  ]
}

function timeAndPriceRules(terms: PolicyTerms, facts: ActionFacts): RuleVerdict[] {
  const { secondsSinceLast, priceAgeSeconds } = facts
  const { minimumSecondsBetweenActions: pause, oracleMaximumAgeSeconds: oldest } = terms
  const isFirst = secondsSinceLast === Number.POSITIVE_INFINITY
  return [
    rule(
      ['R11', 'INTERVAL', 'minimumSecondsBetweenActions'],
      pause === 0 ? true : secondsSinceLast === null ? null : secondsSinceLast >= pause,
      {
        limit: `${pause}`,
        observed: isFirst ? 'no earlier action' : text(secondsSinceLast),
        margin: isFirst || secondsSinceLast === null ? null : BigInt(secondsSinceLast - pause),
        explanation: 'Seconds since the last action.',
      },
    ),
    rule(
      ['R12', 'ORACLE_AGE', 'oracleMaximumAgeSeconds'],
      priceAgeSeconds === null ? null : priceAgeSeconds <= oldest,
      {
        limit: `${oldest}`,
        observed: text(priceAgeSeconds),
        margin: priceAgeSeconds === null ? null : BigInt(oldest - priceAgeSeconds),
        explanation: 'Age of the newest eligible price, in seconds.',
      },
    ),
    bandRule(terms, facts),
  ]
}

function bandRule(terms: PolicyTerms, facts: ActionFacts): RuleVerdict {
  const { midPriceX36, executionPriceX36 } = facts
  const { minimumPriceX18: least, maximumPriceX18: most } = terms
  const key = ['R13', 'PRICE_BAND', 'minimumPriceX18'] as const
  const limit = `${least ?? 0n} to ${most ?? 'any'} (X18)`
  if (least === null && most === null) {
    const explanation = 'The policy has no price bounds.'
    return rule(key, true, { limit: 'none', observed: null, explanation })
  }
  const isCoarse = [least, most].some((one) => one !== null && one > 0n && one < leastSignificant)
  if (isCoarse) {
    const explanation =
      'POLICY_PRICE_COARSE: a bound has fewer than four significant digits, so it cannot be checked against a price.'
    return rule(key, null, { limit, observed: text(midPriceX36), explanation })
  }
  const isInside = (price: bigint) =>
    (least === null || price >= least * x18) && (most === null || price <= most * x18)
  const prices = [midPriceX36, executionPriceX36].filter((price) => price !== 'NOT_APPLICABLE')
  const known = prices.filter((price) => price !== null)
  const isOutside = known.some((price) => !isInside(price))
  const holds = isOutside ? false : known.length < prices.length ? null : true
  return rule(key, holds, {
    limit,
    observed: `mid ${midPriceX36 ?? 'unknown'}, execution ${executionPriceX36 === 'NOT_APPLICABLE' ? 'not applicable' : (executionPriceX36 ?? 'unknown')} (X36)`,
    explanation: 'The mid price and the worst execution price must be within the bounds.',
  })
}

function callRules(terms: PolicyTerms, { route, calldata, isPlain }: ActionFacts): RuleVerdict[] {
  const isAllowed = terms.publicMempoolFallbackAllowed
  return [
    rule(
      ['R14', 'ROUTE', 'publicMempoolFallbackAllowed'],
      route === null ? (isAllowed ? true : null) : route !== 'PUBLIC_MEMPOOL' || isAllowed,
      {
        limit: isAllowed ? 'any route' : 'not PUBLIC_MEMPOOL',
        observed: route,
        explanation: 'The public mempool requires permission in the policy.',
      },
    ),
    rule(['R15', 'CALLDATA', 'compilation'], calldata?.holds ?? null, {
      limit: 'the compiled conditions',
      observed: calldata && (calldata.path ?? 'all hold'),
      explanation: calldata
        ? 'If a condition fails, its path is shown.'
        : 'No adapter in the signed release decodes this calldata.',
    }),
    rule(['R16', 'OPERATION', 'operation'], isPlain, {
      limit: 'CALL, or a listed batch of calls only',
      observed: isPlain === null ? null : isPlain ? 'plain' : 'DELEGATECALL',
      explanation: 'A delegate call can change the control of the vault.',
    }),
  ]
}
