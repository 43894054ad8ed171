// @module-tag long
// @covers apps/server/src/families/plan/strategies

import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMilliseconds } from '../src/units.ts'
import { recordsOf, type Study, type StudyResult } from './support/admissible.ts'
import {
  admit,
  bothStudies,
  definition,
  evidenceOf,
  limits,
  observed,
  owner,
  paths,
  replay,
  service,
  startAdmitting,
  stopAdmitting,
  stored,
  supersede,
  validated,
} from './support/admitting.ts'

type ReplayArm = Static<typeof contract.ArmResult>
type SimulatedArm = Static<typeof contract.SimulatedArmResult>

const one = 10n ** 18n

beforeAll(startAdmitting)
afterAll(stopAdmitting)

/** A change of an arm of the strategy in a result. */
const withArm = <Arm extends object>({ payload }: Study, change: (arm: Arm) => Partial<Arm>) => ({
  result: {
    arms: payload.result!.arms.map((arm) =>
      arm.armId === 'own' ? { ...arm, ...change(arm as unknown as Arm) } : arm,
    ),
  } as Partial<StudyResult>,
})

describe('a gate', () => {
  /** Each refusal by the change that provokes it: what is named, and which gates fail. */
  const cases: [string, () => Promise<Record<string, unknown>>, string[]][] = [
    [
      'of a replay',
      async () => ({ studies: [await stored(paths)] }),
      ['REPLAY_STUDIES', 'DEPTH_TIME_SHARE'],
    ],
    [
      'of paths',
      async () => ({ studies: [await stored(replay)] }),
      [
        'MONTE_CARLO_STUDIES',
        'FAILURE_PROBABILITY',
        'EXPECTED_SHORTFALL',
        'DOMINATED_BY_FULL_RANGE',
      ],
    ],
    [
      'of completion',
      async () => ({
        studies: [...(await bothStudies()), await stored(replay, { status: 'PARTIAL' })],
      }),
      ['UNUSABLE_STUDIES'],
    ],
    [
      'of parity',
      async () => {
        const parity = { verdict: 'UNVERIFIED', basis: 'No comparison.' } as const
        return { studies: [await stored(replay), await stored(paths, { result: { parity } })] }
      },
      ['MARKET_PARITY'],
    ],
    [
      'of failure',
      async () => ({ studies: await bothStudies(), limits: { ...limits, maxFailurePips: 1 } }),
      ['FAILURE_PROBABILITY'],
    ],
    [
      'of failure, where no rule says what failing is',
      async () => {
        const change = withArm<SimulatedArm>(paths, () => ({ failure: { rules: [], any: null } }))
        return { studies: [await stored(replay), await stored(paths, change)] }
      },
      ['FAILURE_PROBABILITY'],
    ],
    [
      'of the shortfall',
      async () => {
        // A tenth of what the capital is worth at the start, and more.
        const change = withArm<SimulatedArm>(paths, ({ risk }) => ({
          risk: { ...risk, netVsHold: { ...risk.netVsHold, es95: `-${one}` } },
        }))
        return {
          studies: [await stored(replay), await stored(paths, change)],
          limits: { ...limits, maxEs95LossPips: 100_000 },
        }
      },
      ['EXPECTED_SHORTFALL'],
    ],
    [
      'of depth',
      async () => {
        const change = withArm<ReplayArm>(replay, ({ failure }) => ({
          failure: failure.map((outcome) => ({ ...outcome, timeSharePips: 100_001 })),
        }))
        return {
          studies: [await stored(replay, change), await stored(paths)],
          limits: { ...limits, minDepthTimeSharePips: 900_000 },
        }
      },
      ['DEPTH_TIME_SHARE'],
    ],
    [
      'of domination',
      async () => {
        const { comparisons } = paths.payload.result!
        const isOurs = ({ a, b }: { a: string; b: string }) =>
          [a, b].includes('own') && [a, b].includes('benchmark-full-range')
        const lost = comparisons.map((pair) =>
          isOurs(pair)
            ? { ...pair, verdict: pair.a === 'own' ? ('B' as const) : ('A' as const) }
            : pair,
        )
        const { result } = withArm<SimulatedArm>(paths, ({ depth }) => ({
          depth: depth.map((band) => ({ ...band, medianQuote: '0' })),
        }))
        const dominated = { result: { ...result, comparisons: lost } }
        return { studies: [await stored(replay), await stored(paths, dominated)] }
      },
      ['DOMINATED_BY_FULL_RANGE'],
    ],
    [
      'of capital',
      async () => {
        const { capital } = paths.payload.spec
        const spec = { capital: { ...capital, quote: `${one - 1n}` } }
        return { studies: [await stored(replay), await stored(paths, { spec })] }
      },
      ['CAPITAL_STUDIED'],
    ],
    [
      'of overfitting',
      async () => {
        const overfitting = { trials: 2, splits: 8, pboPips: 500_001 }
        return { studies: [await searched('0', overfitting), await stored(paths)] }
      },
      ['OVERFITTING'],
    ],
    [
      'of overfitting, where nobody knows how much',
      async () => ({ studies: [await searched('0', null), await stored(paths)] }),
      ['OVERFITTING'],
    ],
    [
      // What was judged is what the search chose, which is another strategy.
      'of a search that chose something else',
      async () => {
        const overfitting = { trials: 2, splits: 8, pboPips: 0 }
        return { studies: [await searched('1', overfitting), await stored(paths)] }
      },
      ['REPLAY_STUDIES', 'UNUSABLE_STUDIES', 'DEPTH_TIME_SHARE'],
    ],
  ]
  /** A replay whose arm was searched; 0 is what the strategy has. */
  function searched(
    chosen: string,
    overfitting: { trials: number; splits: number; pboPips: number } | null,
  ) {
    const search = { armId: 'own', grid: [{ path: 'idlePips', values: ['0', '1'] }] }
    const found = {
      armId: 'own',
      trials: 2,
      leftOut: 0,
      splitAt: 0,
      scores: [],
      chosen: { idlePips: chosen },
    }
    return stored(replay, { spec: { search }, result: { search: found, overfitting } })
  }

  it.each(cases)('%s refuses by its own name', async (_what, payload, gates) => {
    const strategy = await validated()
    const { status, code, fieldErrors } = await admit(strategy, (await payload()) as never)
    expect([status, code]).toEqual([422, 'LIQUIDITY_STRATEGY_ADMISSION_REFUSED'])
    expect(Object.keys(fieldErrors)).toEqual(gates.map((gate) => `gates.${gate}`))
    for (const [message] of Object.values(fieldErrors)) expect(message).toMatch(/at (most|least)/)
    expect((await evidenceOf(strategy)).admissions).toEqual([])
  })

  it('of age refuses a study of more than a week', async () => {
    const strategy = await validated()
    const agedBy = async (milliseconds: number) => {
      const at = service.clock.read() - milliseconds
      return admit(strategy, { studies: [await stored(replay, { at }), await stored(paths)] })
    }
    expect((await agedBy(7 * dayMilliseconds)).status).toBe(201)
    const old = await agedBy(7 * dayMilliseconds + 1)
    expect(Object.entries(old.fieldErrors)).toEqual([
      ['gates.STUDY_AGE', ['must be at most 604800 s, got 604801: age of the oldest named study']],
    ])
  })

  it('of behaviour refuses studies of another strategy, and takes those of an equal one', async () => {
    const studies = await bothStudies()
    const renamed = await validated({ name: 'The same under another name' })
    expect((await admit(renamed, { studies })).status).toBe(201)
    const { status, fieldErrors } = await admit(await validated({ objective: 'CUSTOM' }), {
      studies,
    })
    expect(status).toBe(422)
    expect(Object.keys(fieldErrors)).toEqual(
      expect.arrayContaining(['gates.REPLAY_STUDIES', 'gates.UNUSABLE_STUDIES']),
    )
  })

  it('of behavior accepts an arm with an inline definition', async () => {
    const { pair: _, venue: __, name: ___, ...behaviour } = definition
    const written = (change: object) => ({
      spec: {
        arms: [
          {
            armId: 'own',
            label: 'Written out',
            definition: { ...behaviour, name: 'Of the study', ...change },
          },
        ],
      },
    })
    const strategy = await validated()
    const same = [await stored(replay, written({})), await stored(paths, written({}))]
    expect((await admit(strategy, { studies: same })).status).toBe(201)
    const other = [await stored(replay), await stored(paths, written({ objective: 'CUSTOM' }))]
    const { fieldErrors } = await admit(strategy, { studies: other })
    expect(fieldErrors['gates.UNUSABLE_STUDIES']?.[0]).toContain('no arm of this irHash')
  })

  it('of validation refuses a draft', async () => {
    const strategy = await validated()
    const draft = await supersede(strategy, { status: 'DRAFT' })
    const refused = await admit(draft.data.strategy, { studies: await bothStudies() })
    expect(Object.keys(refused.fieldErrors)).toEqual(['gates.STRATEGY_VALIDATED'])
  })

  it('of pauses counts the open anomalies that the guards name, from a WARNING on', async () => {
    const open = async (kind: string, severity: string, at: number) => {
      const { change } = recordsOf(service, owner).create(
        'VenueObservation',
        {
          status: 'ACTIVE',
          payload: { kind, severity, subject: { venueId: observed.venue.id } },
          reason: 'For the test',
          event: 'anomaly.detected',
        },
        `anomaly_${'0'.repeat(31)}${at}`,
      )
      await service.services.committer.commit(change)
    }
    const guards = { ...(definition.guards as object), pauseOn: ['EXCESSIVE_TURNOVER'] }
    const strategy = await validated({ guards })
    const other = await validated()
    const gatesOf = async (of: typeof strategy) =>
      Object.keys((await admit(of, { studies: await bothStudies() })).fieldErrors)
    await open('EXCESSIVE_TURNOVER', 'INFO', 7)
    expect(await gatesOf(strategy)).not.toContain('gates.PAUSING_ANOMALIES')
    await open('EXCESSIVE_TURNOVER', 'WARNING', 8)
    expect(await gatesOf(strategy)).toContain('gates.PAUSING_ANOMALIES')
    expect(await gatesOf(other)).not.toContain('gates.PAUSING_ANOMALIES')
  })

  it('of anomalies counts open critical anomalies of the venue', async () => {
    const { sealed, change } = recordsOf(service, owner).create(
      'VenueObservation',
      {
        status: 'ACTIVE',
        payload: { severity: 'CRITICAL', subject: { venueId: observed.venue.id } },
        reason: 'For the test',
        event: 'anomaly.detected',
      },
      `anomaly_${'0'.repeat(31)}1`,
    )
    await service.services.committer.commit(change)
    const strategy = await validated()
    const studies = await bothStudies()
    const refused = await admit(strategy, { studies })
    expect(Object.keys(refused.fieldErrors)).toEqual(['gates.CRITICAL_ANOMALIES'])
    const current = { record: sealed.record, text: sealed.text, lastEvent: change.events[0]!.event }
    const cleared = recordsOf(service, owner).supersede(current, {
      status: 'COMPLETED',
      payload: sealed.record.payload,
      reason: 'For the test',
      event: 'anomaly.cleared',
    })
    await service.services.committer.commit(cleared.change)
    expect((await admit(strategy, { studies })).status).toBe(201)
  })
})
