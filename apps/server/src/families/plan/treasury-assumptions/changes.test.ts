import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween } from './changes.ts'
import { normalForm, priceKey } from './normal-form.ts'
import { input, line, scenario, usd, weth } from './testing/sets.ts'

type AssumptionSet = ReturnType<typeof normalForm>
type Change = ReturnType<typeof changesBetween>[number]
type Members = Record<string, unknown>

const changedPaths = (from: AssumptionSet, to: AssumptionSet) =>
  changesBetween(from, to).map(({ path }) => path)

/** Makes one set of another by its changes alone, as a reader of the documentation would. */
function applied(before: AssumptionSet, changes: readonly Change[]): AssumptionSet {
  const named = <T>(items: readonly T[], nameOf: (item: T) => string) =>
    Object.fromEntries(items.map((item) => [nameOf(item), item]))
  const root = structuredClone({
    ...before,
    lines: named(before.lines, ({ lineId }) => lineId),
    scenarios: named(
      before.scenarios.map((one) => ({ ...one, prices: named(one.prices, priceKey) })),
      ({ scenarioId }) => scenarioId,
    ),
  }) as unknown as Members
  for (const { path, to } of changes) {
    const parts = path.split('/').slice(1)
    const names = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = names.pop()!
    const parent = names.reduce((node, name) => node[name] as Members, root)
    if (to === null) delete parent[last]
    else if (names[0] !== 'scenarios' || names.length > 1) parent[last] = structuredClone(to)
    else {
      const added = structuredClone(to) as AssumptionSet['scenarios'][number]
      parent[last] = { ...added, prices: named(added.prices, priceKey) }
    }
  }
  const values = (members: unknown) =>
    Object.entries(members as Members)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]) => value)
  return {
    ...root,
    lines: values(root.lines),
    scenarios: values(root.scenarios).map((one) => ({
      ...(one as Members),
      prices: values((one as Members).prices),
    })),
  } as unknown as AssumptionSet
}

const amount = fc.bigInt(0n, 10n ** 24n).map(String)
const name = fc.constantFrom('payroll', 'rent', 'grants', 'fees', 'constructor', 'kind', 'lines')
const schedule = fc.oneof(
  fc.constantFrom('2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z').map((at) => ({
    kind: 'ONE_OFF' as const,
    at,
  })),
  fc.record({
    kind: fc.constant('RECURRING' as const),
    firstAt: fc.constantFrom('2026-01-31T00:00:00.000Z', '2026-03-31T00:00:00.000Z'),
    every: fc.constantFrom('WEEK' as const, 'MONTH' as const),
  }),
)
const lines = fc.uniqueArray(
  fc.record({ lineId: name, amount, schedule, isUncertain: fc.boolean() }),
  { selector: ({ lineId }) => lineId, maxLength: 5 },
)
const path = fc.oneof(
  fc.constant({ kind: 'HOLD' as const }),
  fc.integer({ min: -9, max: 9 }).map((movePips) => ({ kind: 'LINEAR' as const, movePips })),
  fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 3 }).map((movesPips) => ({
    kind: 'PATH' as const,
    movesPips,
  })),
)
const price = fc.oneof(
  fc.record({ assetKey: fc.constantFrom(usd, weth), path }),
  fc.record({ tier: fc.constantFrom('T1' as const, 'T3' as const), path }),
)
const scenarios = fc.uniqueArray(
  fc.record({
    scenarioId: name,
    prices: fc.uniqueArray(price, { selector: priceKey, maxLength: 3 }),
    inflowDelayMonths: fc.nat(2),
  }),
  { selector: ({ scenarioId }) => scenarioId, maxLength: 4 },
)
const sets = fc
  .record({
    lines,
    scenarios,
    label: fc.constantFrom('One', 'Two'),
    horizonMonths: fc.integer({ min: 1, max: 3 }),
    isSold: fc.boolean(),
  })
  .map(({ lines: some, scenarios: worlds, isSold, ...more }) =>
    normalForm(
      input({
        ...more,
        lines: some.map(({ isUncertain, ...one }) =>
          line(
            isUncertain
              ? { ...one, certainty: 'UNCERTAIN', probabilityPips: 500_000 }
              : { ...one, certainty: 'COMMITTED' },
          ),
        ),
        scenarios: worlds.map((one) => scenario(one)),
        ownTokenPolicy: isSold
          ? { mode: 'SELL', maximumParticipationPips: 100_000 }
          : { mode: 'EXCLUDE' },
      }),
    ),
  )

describe('changes', () => {
  it('applied to the set before give the set after', () => {
    fc.assert(
      fc.property(sets, sets, (before, after) => {
        expect(applied(before, changesBetween(before, after))).toEqual(after)
      }),
      { numRuns: 500 },
    )
  })

  it('are least: none can be left out, none lies within another, and each moves something', () => {
    fc.assert(
      fc.property(sets, sets, (before, after) => {
        const changes = changesBetween(before, after)
        for (const [index, { path: own, from, to }] of changes.entries()) {
          expect(from).not.toEqual(to)
          const others = changes.toSpliced(index, 1)
          expect(others.every(({ path: other }) => !`${own}/`.startsWith(`${other}/`))).toBe(true)
          expect(applied(before, others)).not.toEqual(after)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('are empty for a set against itself in any order, and symmetric', () => {
    fc.assert(
      fc.property(sets, sets, (before, after) => {
        const turned = normalForm({
          ...before,
          lines: before.lines.toReversed(),
          scenarios: before.scenarios.toReversed().map((one) => ({
            ...one,
            prices: one.prices.toReversed(),
          })),
        })
        expect(changesBetween(before, turned)).toEqual([])
        const back = changesBetween(after, before)
        expect(back).toEqual(
          changesBetween(before, after).map(({ path: own, from, to }) => ({
            path: own,
            from: to,
            to: from,
          })),
        )
      }),
      { numRuns: 100 },
    )
  })
})

describe('a change', () => {
  const before = normalForm(input({ lines: [line(), line({ lineId: 'rent' })] }))

  it('of an amount names the line and not its place', () => {
    const after = normalForm(
      input({
        lines: [line({ lineId: 'insurance' }), line({ lineId: 'rent', amount: '7' }), line()],
      }),
    )
    expect(changedPaths(before, after)).toEqual(['/lines/insurance', '/lines/rent/amount'])
    expect(changesBetween(before, after)[1]).toEqual({
      path: '/lines/rent/amount',
      from: '1000000',
      to: '7',
    })
  })

  it('of a schedule reports its member, and the whole schedule for another kind', () => {
    const recurring = line().schedule as Extract<
      ReturnType<typeof line>['schedule'],
      { every: string }
    >
    const later = line({ schedule: { ...recurring, count: 3 } })
    const once = line({ schedule: { kind: 'ONE_OFF', at: '2026-05-01T00:00:00.000Z' } })
    const rest = line({ lineId: 'rent' })
    const [counted] = changesBetween(before, normalForm(input({ lines: [later, rest] })))
    expect(counted).toEqual({ path: '/lines/payroll/schedule/count', from: null, to: 3 })
    const [other] = changesBetween(before, normalForm(input({ lines: [once, rest] })))
    expect(other).toEqual({ path: '/lines/payroll/schedule', from: recurring, to: once.schedule })
  })

  it('lists a price under its asset, escaped, and a tier under its name', () => {
    const winter = (assetPips: number, tierPips: number) =>
      normalForm(
        input({
          scenarios: [
            scenario(),
            scenario({
              scenarioId: 'winter',
              prices: [
                { assetKey: weth, path: { kind: 'LINEAR', movePips: assetPips } },
                { tier: 'T3', path: { kind: 'PATH', movesPips: [tierPips] } },
              ],
            }),
          ],
        }),
      )
    expect(changedPaths(winter(1, 2), winter(3, 4))).toEqual([
      '/scenarios/winter/prices/T3/path/movesPips',
      `/scenarios/winter/prices/${weth.replaceAll('/', '~1')}/path/movePips`,
    ])
  })

  it('of a former omission reports the previous value', () => {
    const after = normalForm(
      input({ lines: before.lines, horizonMonths: 12, haircuts: { T2: 500_000 } }),
    )
    expect(changesBetween(before, after)).toEqual([
      { path: '/haircuts/T2', from: 400_000, to: 500_000 },
      { path: '/horizonMonths', from: 24, to: 12 },
    ])
  })
})
