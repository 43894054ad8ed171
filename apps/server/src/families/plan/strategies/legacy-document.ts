import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import { daySeconds } from '../../../units.ts'
import type { StrategyInput } from './exact-definition.ts'
import legacyMappings from './legacy-mappings.json' with { type: 'json' }
import { oracleAgeFault } from './oracle-guard.ts'

type Request = Static<typeof contract.LegacyWrapperRequest>['payload']
type Bootstrap = Static<typeof contract.LegacyBootstrap>
type Maintain = Static<typeof contract.LegacyMaintain>
type Diversify = Static<typeof contract.LegacyDiversify>

type Behaviour = Omit<StrategyInput, 'pair' | 'venue'>
type Mapping = Readonly<Record<string, string>>

export interface Unmapped {
  path: string
  material: boolean
  detail: string
}

const million = 1_000_000

/** All supported fields, by kind. Any other field has no meaning in v2. */
const { everyKind, kinds } = legacyMappings
const mappings: Readonly<Record<Request['v1Kind'], Mapping>> = {
  BOOTSTRAP: { ...everyKind, ...kinds.BOOTSTRAP },
  MAINTAIN: { ...everyKind, ...kinds.MAINTAIN },
  DIVERSIFY: { ...everyKind, ...kinds.DIVERSIFY },
}
const descriptive: ReadonlySet<string> = new Set(legacyMappings.descriptive)

/** Targets of mapped fields, sorted by name. */
export function mappedOf(v1Kind: Request['v1Kind']): { from: string; to: string }[] {
  return Object.entries(mappings[v1Kind])
    .map(([from, to]) => ({ from, to }))
    .sort((a, b) => (a.from < b.from ? -1 : 1))
}

/**
 * Fields without a meaning in v2. Descriptive and null fields have no effect. The effect of any
 * other field is unknown, so it counts as material.
 */
export function unmappedOf({ v1Kind, v1Document }: Request): Unmapped[] {
  const known = Object.keys(mappings[v1Kind])
  const found: Unmapped[] = []
  const walk = (value: object, prefix: string) => {
    for (const [name, member] of Object.entries(value)) {
      const path = prefix === '' ? name : `${prefix}.${name}`
      if (known.includes(path)) continue
      const isInner = known.some((one) => one.startsWith(`${path}.`))
      if (isInner && typeof member === 'object' && member !== null) walk(member, path)
      else found.push(classifyMember(path, name, member))
    }
  }
  walk(v1Document, '')
  const oldest = oracleAgeFault(v1Document.limits.maxPriceAgeSeconds)
  if (oldest !== null) {
    found.unshift({ path: 'limits.maxPriceAgeSeconds', material: true, detail: oldest })
  }
  return found.map(truncateMember)
}

/** Fields that do not fit in the record are still reported, in short form. */
function truncateMember(member: Unmapped, index: number): Unmapped {
  const path = member.path.slice(0, limits.legacyPathCharacters)
  if (member.path.length > limits.legacyPathCharacters) {
    return {
      path,
      material: true,
      detail: `has a name of more than ${limits.legacyPathCharacters} characters`,
    }
  }
  return index < limits.reportedLegacyMembers || member.material
    ? member
    : {
        path,
        material: true,
        detail: `is among more than ${limits.reportedLegacyMembers} fields without a v2 equivalent`,
      }
}

function classifyMember(path: string, name: string, member: unknown): Unmapped {
  if (descriptive.has(name))
    return { path, material: false, detail: 'is descriptive and has no effect' }
  if (member === null) return { path, material: false, detail: 'is null and has no effect' }
  return {
    path,
    material: true,
    detail: 'may change the strategy, but has no v2 equivalent',
  }
}

/** Converts a v1 document to a v2 definition. */
export function definitionOf(request: Request): StrategyInput {
  const { pair, venue } = request
  return { ...behaviourOf(request), pair, venue }
}

function behaviourOf(request: Request): Behaviour {
  switch (request.v1Kind) {
    case 'BOOTSTRAP':
      return bootstrap(request.v1Document)
    case 'MAINTAIN':
      return maintain(request.v1Document)
    case 'DIVERSIFY':
      return diversify(request.v1Document)
  }
}

/**
 * A full range for stability, base offered above the price, and a range for price discovery; ends
 * when the base is sold.
 */
function bootstrap(document: Bootstrap): Behaviour {
  const { name, capital, stabilizer, ladder, discovery, targetBaseSharePips } = document
  const weights = [stabilizer.sharePips, ladder.sharePips, discovery.sharePips]
  return {
    schemaVersion: 'strategy-definition-v2',
    name,
    objective: 'BOOTSTRAP',
    capital: { maxBase: capital.base, maxQuote: capital.quote },
    inventory: {
      targetBaseSharePips,
      minBaseSharePips: 0,
      maxBaseSharePips: million,
    },
    positions: [
      {
        positionId: 'stabilizer',
        weightPips: stabilizer.sharePips,
        template: { kind: 'FULL_RANGE' },
      },
      { positionId: 'ladder', weightPips: ladder.sharePips, template: ladderOf(ladder) },
      {
        positionId: 'discovery',
        weightPips: discovery.sharePips,
        template: {
          kind: 'RANGE',
          lowerPips: discovery.lowerPips,
          upperPips: discovery.upperPips,
        },
      },
    ],
    idlePips: computeIdleShare(weights),
    rules: [],
    guards: guardsOf(document.limits),
    // The trigger is strict: a share at the target ends it as well.
    end: {
      when: { kind: 'BASE_SHARE', below: Math.min(targetBaseSharePips + 1, million) },
      do: 'HOLD',
    },
  }
}

/**
 * A wide range, a range as wide as the volatility, and a range that rebalances the inventory; rules
 * recenter them.
 */
function maintain(document: Maintain): Behaviour {
  const { name, capital, wide, mid, rebalancing, inventory, volatility } = document
  const { cooldownSeconds, maxActionsPerDay: maxPerDay } = document
  const { targetBaseSharePips, minBaseSharePips, maxBaseSharePips } = inventory
  const { lowerPips, upperPips } = wide
  const { deviationsMilli: kMilli, horizonSeconds, windowSeconds: volWindowSeconds } = mid
  const { side, offsetPips, widthPips, swap } = rebalancing
  const { shortSeconds, longSeconds, aboveMilli } = volatility
  // The compiler would reject a rule for unreachable bounds.
  const isBounded = minBaseSharePips > 0 || maxBaseSharePips < million
  const relay = { kind: 'RECENTER', swap: false } as const
  return {
    schemaVersion: 'strategy-definition-v2',
    name,
    objective: 'MAINTAIN',
    capital: { maxBase: capital.base, maxQuote: capital.quote },
    inventory: { targetBaseSharePips, minBaseSharePips, maxBaseSharePips },
    positions: [
      {
        positionId: 'wide',
        weightPips: wide.sharePips,
        template: { kind: 'RANGE', lowerPips, upperPips },
      },
      {
        positionId: 'mid',
        weightPips: mid.sharePips,
        template: { kind: 'VOL_SCALED', kMilli, horizonSeconds, volWindowSeconds },
      },
      {
        positionId: 'rebalancing',
        weightPips: rebalancing.sharePips,
        template: { kind: 'SINGLE_SIDED', side, offsetPips, widthPips },
      },
    ],
    idlePips: computeIdleShare([wide.sharePips, mid.sharePips, rebalancing.sharePips]),
    rules: [
      {
        ruleId: 'volatility',
        when: { kind: 'VOL_RATIO', shortSeconds, longSeconds, aboveMilli },
        do: relay,
        cooldownSeconds,
        maxPerDay,
      },
      ...(isBounded
        ? [
            {
              ruleId: 'inventory',
              when: {
                kind: 'BASE_SHARE',
                above: maxBaseSharePips,
                below: minBaseSharePips,
              } as const,
              do: { kind: 'RECENTER', swap } as const,
              cooldownSeconds,
              maxPerDay,
            },
          ]
        : []),
      {
        ruleId: 'range',
        when: { kind: 'OUT_OF_RANGE', positionId: 'mid', seconds: document.outOfRangeSeconds },
        do: relay,
        cooldownSeconds,
        maxPerDay,
      },
    ],
    guards: guardsOf(document.limits),
  }
}

/** Offers base above the price and reserves earnings in quote. Ends after selling enough. */
function diversify(document: Diversify): Behaviour {
  const { name, capital, ladder, sellBase, collectEverySeconds: seconds } = document
  return {
    schemaVersion: 'strategy-definition-v2',
    name,
    objective: 'DIVERSIFY',
    capital: { maxBase: capital.base, maxQuote: '0' },
    inventory: { targetBaseSharePips: 0, minBaseSharePips: 0, maxBaseSharePips: million },
    positions: [{ positionId: 'ladder', weightPips: million, template: ladderOf(ladder) }],
    idlePips: 0,
    rules: [
      {
        ruleId: 'collect',
        when: { kind: 'EVERY', seconds },
        do: { kind: 'COLLECT_TO_IDLE', side: 'QUOTE' },
        cooldownSeconds: seconds,
        maxPerDay: Math.min(limits.strategyActionsPerDay, Math.ceil(daySeconds / seconds)),
      },
    ],
    guards: guardsOf(document.limits),
    // Remaining ranges would buy the sold base back.
    end: { when: { kind: 'SOLD_BASE', amount: sellBase }, do: 'WITHDRAW' },
  }
}

function ladderOf({ rungs, firstOffsetPips, widthPips, growthPips }: Diversify['ladder']) {
  return {
    kind: 'LADDER',
    side: 'BASE',
    count: rungs,
    firstOffsetPips,
    widthPips,
    growthPips,
  } as const
}

/** Remaining share; 0 if the shares exceed 100 %, which the compiler rejects. */
const computeIdleShare = (weights: readonly number[]) =>
  Math.max(0, million - weights.reduce((sum, weight) => sum + weight, 0))

function guardsOf(limits: Bootstrap['limits']): StrategyInput['guards'] {
  return {
    twapWindowSeconds: limits.twapWindowSeconds,
    maxTwapDeviationPips: limits.maxTwapDeviationPips,
    maxSwapSlippagePips: limits.maxSlippagePips,
    maxGasQuotePerAction: limits.maxGasQuotePerAction,
    maxTurnoverQuotePerDay: limits.maxTurnoverQuotePerDay,
    minSecondsBetweenActions: limits.minSecondsBetweenActions,
    oracleMaxAgeSeconds: limits.maxPriceAgeSeconds,
    // v1 had no pause conditions.
    pauseOn: [],
  }
}
