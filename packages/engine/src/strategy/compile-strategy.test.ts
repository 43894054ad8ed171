import { describe, expect, it } from 'vitest'
import { newPair, newPool } from '../../test/monte-carlo-market.ts'
import { rule, strategy, wideGuards } from '../../test/strategies.ts'
import { type CompilationContext, compileStrategy } from './compile-strategy.ts'
import type { StrategyDefinition } from './definition.ts'

const one = 10n ** 18n
const context = (change: Partial<CompilationContext> = {}): CompilationContext => ({
  market: newPool({ feePips: 3000, ranges: true }),
  orientation: { base: 0, quote: 1 },
  volatility: 0.03 / Math.sqrt(86_400),
  ...change,
})

/** Codes and paths of what is wrong with a definition. */
function faults(definition: StrategyDefinition, change: Partial<CompilationContext> = {}) {
  const compiled = compileStrategy(definition, context(change))
  return compiled.ok ? [] : compiled.errors.map(({ code, path }) => `${code} ${path}`)
}

const recenter = { kind: 'RECENTER', swap: true } as const
const left = { kind: 'OUT_OF_RANGE', positionId: 'core', seconds: 3600 } as const

describe('a definition', () => {
  it('compiles to its ranges with exact mint amounts, and the worst day', () => {
    const definition = strategy({
      rules: [rule(left, recenter, { cooldownSeconds: 7200, maxPerDay: 20 })],
      guards: { ...wideGuards, maxTurnoverQuotePerDay: 5n * one, maxGasQuotePerAction: 7n },
    })
    const compiled = compileStrategy(definition, context())
    expect(compiled.ok).toBe(true)
    const { preview, bounds, checks, requiredAdapters, requiredData } = compiled.report
    expect(preview).toMatchObject([{ positionId: 'core', tickLower: -540, tickUpper: 540 }])
    const [{ base, quote, liquidity } = { base: 0n, quote: 0n, liquidity: 0n }] = preview
    expect(liquidity).toBeGreaterThan(0n)
    // A symmetric range at a price of one takes both tokens alike, and never more than there is.
    expect([base <= 1000n * one, quote <= 1000n * one]).toEqual([true, true])
    expect(base).toBeGreaterThan(990n * one)
    expect(bounds).toEqual({
      actionsPerDay: 12,
      turnoverQuotePerDay: 5n * one,
      gasQuotePerDay: 84n,
      maxPositions: 1,
    })
    expect(checks.every(({ ok }) => ok)).toBe(true)
    expect(requiredAdapters).toEqual(['UNISWAP_V3_POSITION_MANAGER', 'UNISWAP_V3_ROUTER'])
    expect(requiredData).toEqual(['FINALIZED_STATE', 'TWAP'])
  })

  it('compiles to the same form whatever the state of the market, and to another when it differs', () => {
    const irOf = (definition: StrategyDefinition, change = {}) => {
      const compiled = compileStrategy(definition, context(change))
      return compiled.ok ? JSON.stringify(compiled.ir) : null
    }
    const first = irOf(strategy())
    expect(irOf(strategy(), { volatility: null })).toBe(first)
    expect(irOf(strategy({ idlePips: 0 }))).toBe(first)
    expect(irOf(strategy({ guards: { ...wideGuards, twapWindowSeconds: 1801 } }))).not.toBe(first)
  })

  it.each<[string, Partial<StrategyDefinition>, string[], Partial<CompilationContext>?]>([
    ['whose weights miss the whole', { idlePips: 1 }, ['WEIGHTS_SUM positions']],
    [
      'whose target lies outside its bounds',
      {
        inventory: { targetBaseSharePips: 5, minBaseSharePips: 6, maxBaseSharePips: 1_000_000 },
      },
      ['INVENTORY_BOUNDS inventory.targetBaseSharePips'],
    ],
    [
      'with ticks off the spacing',
      {
        positions: [
          {
            positionId: 'x',
            weightPips: 1_000_000,
            template: { kind: 'TICKS', lower: -61, upper: 60 },
          },
        ],
      },
      ['TICK_RANGE positions.0.template'],
    ],
    [
      'with a rule that its own action leaves true',
      {
        rules: [
          rule({ kind: 'SOLD_BASE', amount: 1n }, { kind: 'COMPOUND' }, { cooldownSeconds: 0 }),
        ],
      },
      ['RULE_CYCLE rules.0.cooldownSeconds'],
    ],
    [
      'with a rule for a position that is not there',
      { rules: [rule({ ...left, positionId: 'none' }, { kind: 'HOLD' })] },
      ['UNREACHABLE_RULE rules.0.when'],
    ],
    [
      'with a rule that may never act',
      { rules: [rule(left, { kind: 'COMPOUND' }, { maxPerDay: 0 })] },
      ['UNREACHABLE_RULE rules.0.maxPerDay'],
    ],
    [
      'with a share that nothing can pass',
      { rules: [rule({ kind: 'BASE_SHARE', above: 1_000_000 }, { kind: 'HOLD' })] },
      ['UNREACHABLE_RULE rules.0.when'],
    ],
    [
      'with a rule behind one that always matches first',
      {
        rules: [
          rule(
            { kind: 'MOVE', pips: 100 },
            { kind: 'RECENTER', swap: false },
            { cooldownSeconds: 0 },
          ),
          rule({ kind: 'MOVE', pips: 200 }, { kind: 'COMPOUND' }),
        ],
      },
      ['UNREACHABLE_RULE rules.1.when'],
    ],
    [
      'that swaps without guards',
      {
        rules: [rule(left, recenter)],
        guards: {
          ...wideGuards,
          maxTwapDeviationPips: null,
          maxSwapSlippagePips: null,
          maxTurnoverQuotePerDay: null,
        },
      },
      [
        'GUARD_MISSING guards.maxTwapDeviationPips',
        'GUARD_MISSING guards.maxSwapSlippagePips',
        'UNBOUNDED_TURNOVER guards.maxTurnoverQuotePerDay',
      ],
    ],
    [
      'with more capital than the venue is allowed',
      {},
      ['CAPITAL_EXCEEDS_CAPS capital'],
      { maxCapitalQuote: 1999n * one },
    ],
    [
      'with a range where the market has none',
      {},
      ['TICK_RANGE positions.0.template'],
      { market: newPair() },
    ],
  ])('%s is refused', (_name, change, expected, context) => {
    expect(faults(strategy(change), context)).toEqual(expected)
  })

  it('is not refused for what a cooldown or its own action resolves', () => {
    expect(faults(strategy({ rules: [rule(left, recenter, { cooldownSeconds: 0 })] }))).toEqual([])
    expect(
      faults(strategy({ rules: [rule({ kind: 'SOLD_BASE', amount: 1n }, { kind: 'COMPOUND' })] })),
    ).toEqual([])
  })

  it('is refused for a rule behind one that waits no longer for the same position', () => {
    const behind = (first: number, second: number) => {
      const waits = (seconds: number) => ({ ...left, seconds })
      const rules = [
        rule(waits(first), recenter, { cooldownSeconds: 0 }),
        rule(waits(second), { kind: 'COMPOUND' }),
      ]
      return faults(strategy({ rules }))
    }
    expect(behind(3600, 7200)).toEqual(['UNREACHABLE_RULE rules.1.when'])
    expect(behind(7200, 3600)).toEqual([])
  })

  it('is warned of overlaps, narrow ranges, dear gas and unknown widths', () => {
    const range = (lowerPips: number) =>
      ({ kind: 'RANGE', lowerPips, upperPips: lowerPips }) as const
    const definition = strategy({
      positions: [
        { positionId: 'wide', weightPips: 600_000, template: range(100_000) },
        { positionId: 'narrow', weightPips: 300_000, template: range(3000) },
        {
          positionId: 'scaled',
          weightPips: 100_000,
          template: {
            kind: 'VOL_SCALED',
            kMilli: 1000,
            horizonSeconds: 3600,
            volWindowSeconds: 3600,
          },
        },
      ],
      rules: [
        rule(left, { kind: 'COMPOUND' }),
        rule({ kind: 'EVERY', seconds: 3600 }, recenter),
      ].slice(1),
      guards: { ...wideGuards, maxGasQuotePerAction: one },
    })
    const warned = (change: Partial<CompilationContext>) =>
      compileStrategy(definition, context(change)).report.warnings.map(({ code }) => code)
    expect(warned({ expectedFeesQuotePerDay: one })).toEqual([
      'OVERLAPPING_RANGES',
      'OVERLAPPING_RANGES',
      'RANGE_BELOW_DAILY_SIGMA',
      'RANGE_BELOW_DAILY_SIGMA',
      'GAS_ABOVE_FEES',
    ])
    expect(warned({ volatility: null })).toEqual(['VOLATILITY_UNKNOWN', 'OVERLAPPING_RANGES'])
  })

  it('is refused with more capital than a tick of the pool takes', () => {
    const huge = { maxBase: 2n ** 120n, maxQuote: 2n ** 120n }
    expect(faults(strategy({ capital: huge }))).toEqual(['CAPITAL_EXCEEDS_CAPS capital'])
    expect(compileStrategy(strategy({ capital: huge }), context()).report.preview).toEqual([])
  })

  it('warns of a range laid anew with the one token that is left', () => {
    const warned = (swap: boolean) =>
      compileStrategy(strategy({ rules: [rule(left, { kind: 'RECENTER', swap })] }), context())
        .report.warnings.filter(({ code }) => code === 'RECENTER_ONE_SIDED')
        .map(({ detail }) => detail.split(':')[0])
    expect(warned(true)).toEqual([])
    expect(warned(false)).toEqual(['out_of_range-recenter'])
  })
})
