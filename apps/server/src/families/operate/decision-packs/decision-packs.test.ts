import { contract, responseExamples } from '@liquidity-os/contract'
import { type VersionedRecord, verifyInclusion } from '@liquidity-os/evidence'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valueAt } from '../../json-pointer.ts'
import { countedApprovals } from './approvals.ts'
import { researchOptions } from './assemble-research.ts'
import { assembledLimits, assembledOptions } from './assemble-treasury.ts'
import { bindMetrics, isSameMeasure, predictedMeasure } from './bind-metrics.ts'
import { unboundFault } from './bind-pack.ts'
import { compareOptions } from './compare-options.ts'
import { packDocument } from './document/pack-document.ts'
import { valueWords } from './document/words.ts'
import { runwayPointer } from './figure-at.ts'
import type { BoundInput, PackRecord } from './pack-types.ts'
import { usualAgeSeconds } from './provenance.ts'
import { provenSection, sealOf, sectionHash } from './seal-pack.ts'
import { dollars, metric, option, packInput, packOf } from './testing/packs.ts'
import { validateContent } from './validate-content.ts'

const now = Date.parse('2026-01-05T12:00:00Z')

describe('a JSON pointer', () => {
  const document = { a: { 'b/c': [10, { '~d': 'found' }] }, '': 1 }
  it.each([
    ['/a/b~1c/0', 10],
    ['/a/b~1c/1/~0d', 'found'],
    ['/', 1],
    ['/a/b~1c/01', undefined],
    ['/a/b~1c/-', undefined],
    ['/a/constructor', undefined],
    ['/a/b~1c/length', undefined],
    ['/nothing/at/all', undefined],
  ])('%s leads to %s', (pointer, value) => {
    expect(valueAt(document, pointer)).toBe(value)
  })
})

describe('the seal', () => {
  const pack = packOf()

  it('is the golden value of a known pack, which a third party can recompute', () => {
    expect(sectionHash(pack, 'question')).toBe(
      '0x710809caed6e6ba28865e287f78993ff6b0f66d26dd62e6cdb6d2a53b03a79ee',
    )
    expect(pack.sealHash).toBe('0x6eeeb42651049ee7568497c423a95eefc301c4cf5e5e19d374cb38ef13443f22')
  })

  it.each(contract.decisionSections)('proves %s alone', (section) => {
    const { proof, sectionHash: hash } = provenSection(pack, section)
    const leaf = Buffer.from(hash.slice(2), 'hex')
    expect(verifyInclusion(leaf, proof, sealOf(pack))).toBe(true)
    const other = Buffer.from(
      sectionHash(packOf({ question: 'Another one?' }), 'question').slice(2),
      'hex',
    )
    expect(verifyInclusion(other, proof, sealOf(pack))).toBe(false)
  })

  it('covers every member but the decision and what became of it', () => {
    const outside = ['approvals', 'outcome', 'review', 'sealHash']
    const members = Object.keys(pack).filter((one) => !outside.includes(one))
    expect(members.sort()).toEqual([...contract.decisionSections])
    expect([...contract.decisionSections].sort()).toEqual([...contract.decisionSections])
  })
})

describe('scores as figures', () => {
  type ScorePayload = contract.MarketQualityScore
  const { data: example } = responseExamples.getScores as { data: VersionedRecord<ScorePayload> }
  const { request } = example.payload
  const scoreOf = (
    version: `0x${string}`,
    change: Partial<ScorePayload>,
  ): VersionedRecord<ScorePayload> => ({
    ...example,
    resourceVersion: version,
    payload: { ...example.payload, scorePips: 700_000, ...change },
  })
  const graded = (units: bigint, quoteDecimals: number): Partial<ScorePayload> => ({
    request: { ...request, pair: { ...request.pair, quoteDecimals } },
    gradedSize: { currency: 'USD', tradeSizeQuote: `${units * 10n ** BigInt(quoteDecimals)}` },
  })
  const ungraded = (tradeSizeQuote: string, chainId = 1): Partial<ScorePayload> => ({
    request: { ...request, pair: { ...request.pair, chainId } },
    gradedSize: null,
    requestedSize: { tradeSizeQuote, medianSlippagePips: null },
  })
  const bound = (...changes: Partial<ScorePayload>[]) => {
    const scores = changes.map((change, index) => scoreOf(`0x${index}`, change))
    const options = scores.map((score, index) =>
      option(`option-${index}`, [
        {
          ...metric('score', '700000', { unit: 'PIPS' }),
          label: undefined,
          source: {
            resourceType: 'MarketQualityScore',
            id: score.id,
            resourceVersion: `0x${index}`,
          },
          pointer: '/payload/scorePips',
        } as never,
      ]),
    )
    const byVersion = new Map(scores.map((score) => [score.resourceVersion, score]))
    return bindMetrics(options as never, byVersion, '').mismatched
  }

  it('are compared at the same trade size, and refused at different ones', () => {
    expect(bound(graded(10_000n, 6), graded(10_000n, 18))).toEqual({})
    expect(bound(graded(10_000n, 6), graded(1000n, 6))).toEqual({
      'options.1.metrics.0.source': [
        'must be a score of the same trade size, 10000 USD, got 1000 USD',
      ],
    })
  })

  it('without a published size are compared at the same requested size of the same pair', () => {
    const at = 'options.1.metrics.0.source'
    expect(bound(ungraded('500'), ungraded('500'))).toEqual({})
    for (const other of [ungraded('501'), ungraded('500', 10), graded(10_000n, 6)]) {
      expect(Object.keys(bound(ungraded('500'), other))).toEqual([at])
    }
  })
})

describe('alternatives in columns', () => {
  const cost = (value: string) => metric('cost', value, { better: 'LOWER' })
  const options = [
    option('nothing', [metric('depth', '100'), cost('0')]),
    option('act', [metric('depth', '900'), cost('50')]),
    option('overact', [metric('depth', '900'), cost('80')]),
  ]

  it('say how far each is from the status quo, and which is best by what', () => {
    const { rows } = compareOptions({ options })
    expect(rows.map(({ cells }) => cells.map(({ difference }) => difference))).toEqual([
      ['0', '800', '800'],
      ['0', '50', '80'],
    ])
    expect(rows.map(({ cells }) => cells.map(({ isBest }) => isBest))).toEqual([
      [false, true, true],
      [true, false, false],
    ])
  })

  it('shows dominated options, criteria in favor and limit breaches', () => {
    const comparison = compareOptions({
      options,
      criteria: [
        { criterionId: 'deep', label: 'Deep', weightPips: 600_000, metricId: 'depth' },
        { criterionId: 'cheap', label: 'Cheap', weightPips: 300_000, metricId: 'cost' },
        { criterionId: 'felt', label: 'Felt', weightPips: 100_000 },
      ],
      limits: [
        { metricId: 'cost', comparator: 'LTE', value: '60' },
        { metricId: 'depth', comparator: 'GTE', value: '500' },
      ],
    }).options
    expect(comparison.map(({ dominatedBy }) => dominatedBy)).toEqual([[], [], ['act']])
    expect(comparison.map(({ supportPips }) => supportPips)).toEqual([300_000, 600_000, 600_000])
    expect(
      comparison.map(({ breaks }) => breaks.map(({ metricId, observed }) => [metricId, observed])),
    ).toEqual([[['depth', '100']], [], [['cost', '80']]])
  })

  it('a metric without a limit neither meets nor breaches it', () => {
    const limits = [{ metricId: 'depth', comparator: 'GTE', value: '1' }] as const
    const [, quiet] = compareOptions({
      options: [option('nothing', [metric('depth', 2)]), option('act')],
      limits: [...limits],
    }).options
    expect([quiet!.breaks, quiet!.untold]).toEqual([[], ['depth']])
  })

  it('never dominate each other, whatever the figures', () => {
    const figures = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(figures, { minLength: 2, maxLength: 6 }), (all) => {
        const made = all.map((values, index) =>
          option(
            index === 0 ? 'nothing' : `o${index}`,
            values.map((value, at) => metric(`m${at}`, value)),
          ),
        )
        const { options: compared } = compareOptions({ options: made })
        for (const one of compared) {
          for (const by of one.dominatedBy) {
            const other = compared.find(({ optionId }) => optionId === by)
            expect(other!.dominatedBy).not.toContain(one.optionId)
          }
        }
        // Somebody is dominated by nobody.
        expect(compared.some(({ dominatedBy }) => dominatedBy.length === 0)).toBe(true)
      }),
    )
  })
})

describe('a content', () => {
  const faultsOf = (change: Partial<BoundInput>) =>
    Object.keys(validateContent(packInput(change), now, 'payload.'))
  it.each([
    [
      'two that do nothing',
      { options: [option('nothing'), option('act', [], { statusQuo: true })] },
      'options',
    ],
    [
      'an alternative twice',
      { options: [option('nothing'), option('act'), option('act')] },
      'options.2.optionId',
    ],
    [
      'a metric twice',
      { options: [option('nothing', [metric('a', 1), metric('a', 2)]), option('act')] },
      'options.0.metrics.1.metricId',
    ],
    [
      'one metric in two units',
      {
        options: [
          option('nothing', [metric('a', 1)]),
          option('act', [metric('a', 1, { unit: 'PIPS' })]),
        ],
      },
      'options.1.metrics.0.unit',
    ],
    [
      'atoms of nothing',
      { options: [option('nothing', [metric('a', '1', { unit: 'ATOMS' })]), option('act')] },
      'options.0.metrics.0.asset',
    ],
    [
      'an asset of a number of months',
      { options: [option('nothing', [metric('a', '1', { asset: dollars })]), option('act')] },
      'options.0.metrics.0.asset',
    ],
    [
      'a word that should be a number',
      { options: [option('nothing', [metric('a', 'many')]), option('act')] },
      'options.0.metrics.0.value',
    ],
    [
      'weights that are not whole',
      { criteria: [{ criterionId: 'a', label: 'A', weightPips: 999_999 }] },
      'criteria',
    ],
    [
      'a criterion without its metric',
      { criteria: [{ criterionId: 'a', label: 'A', weightPips: 1_000_000, metricId: 'none' }] },
      'criteria.0.metricId',
    ],
    [
      'a limit of nothing',
      { limits: [{ metricId: 'none', comparator: 'LTE', value: '1' }] },
      'limits.0.metricId',
    ],
    [
      'a recommendation of nothing',
      { recommendation: { optionId: 'none', rationale: 'So', by: 'HUMAN' } },
      'recommendation.optionId',
    ],
    ['a day that is over', { decisionBy: '2026-01-05T12:00:00.000Z' }, 'decisionBy'],
    ['an end before its day', { expiresAt: '2026-01-31T00:00:00.000Z' }, 'expiresAt'],
  ] as const)('with %s is refused by name', (_what, change, field) => {
    expect(faultsOf(change as unknown as Partial<BoundInput>)).toContain(`payload.${field}`)
  })

  it('that is sound has no fault', () => {
    expect(faultsOf({})).toEqual([])
  })
})

describe('a quorum', () => {
  const by = (isAuthor: boolean) => ({ isAuthor }) as contract.DecisionApproval
  it('counts one of those who wrote the pack at most', () => {
    expect(countedApprovals([by(true), by(true), by(true)])).toBe(1)
    expect(countedApprovals([by(true), by(false)])).toBe(2)
    expect(countedApprovals([])).toBe(0)
  })
})

describe('a pack of a treasury', () => {
  const examples = responseExamples as unknown as Record<
    string,
    { data: { projection: VersionedRecord<contract.TreasuryProjection> } }
  >
  const { projection } = examples.createTreasuryProjection!.data

  it('has an alternative for every scenario, with figures read at their pointers', () => {
    const options = assembledOptions({ projection })
    expect(options).toHaveLength(Math.max(1, projection.payload.scenarios.length))
    for (const { value, pointer } of options.flatMap(({ metrics }) => metrics)) {
      expect(valueAt(projection, pointer)).toBe(value)
    }
    expect(assembledLimits({ projection })).toEqual([
      { metricId: 'trough-cash', comparator: 'GTE', value: projection.payload.minimumCashQuote },
    ])
  })

  it('takes what stress tests and unlocks say, where they say it', () => {
    const record = (resourceType: string, payload: object) =>
      ({ ...projection, resourceType, payload }) as unknown as VersionedRecord
    const options = assembledOptions({
      projection,
      reconciliation: record('TreasuryReconciliation', { agreement: 'AGREED' }),
      stress: record('TreasuryStressStudy', {
        request: { quoteKey: dollars },
        computation: { gaps: [{ code: 'CONTROL_UNPROVEN' }] },
        scenarios: [
          {
            scenarioId: 'Crash 50',
            counted: { realisableQuote: '10', lossQuote: '-5' },
            runwayMonthsX3: '1000',
            controlled: { realisableQuote: '10', runwayMonthsX3: '400' },
          },
        ],
      }),
      unlockImpact: record('UnlockImpact', {
        request: { quote: projection.payload.quoteKey },
        peaks: { base: { impactPips: 90_000 } },
        mitigations: [
          { kind: 'AC_PROGRAM', peakImpactPips: 60_000, costQuote: '5', capital: null },
          {
            kind: 'ADD_DEPTH',
            peakImpactPips: 50_000,
            costQuote: '9',
            capital: { token: '2', quote: '7' },
          },
        ],
      }),
    })
    const [quiet, ...others] = options
    const ids = quiet!.metrics.map(({ metricId }) => metricId)
    expect(ids).toEqual(expect.arrayContaining(['books', 'stress-left-crash-50', 'unlock-peak']))
    // The loss counts asserted holdings, too.
    expect(ids).not.toContain('stress-loss-crash-50')
    // What only the organization says is its own decides nothing.
    const unmoved = quiet!.metrics.find(({ metricId }) => metricId === 'stress-left-crash-50')
    expect(unmoved!.value).toBe('10')
    const last = others.at(-1)!
    expect(last.metrics.slice(0, 2).map(({ metricId, value }) => [metricId, value])).toEqual([
      ['unlock-peak', 50_000],
      ['mitigation-cost', '9'],
    ])
    // Own tokens are no cash, and the impact of a sale is no payment.
    expect(last.metrics[2]).toMatchObject({ pointer: runwayPointer(0), afterSpend: '7' })
    const program = others.at(-2)!.metrics.find(({ afterSpend }) => afterSpend !== undefined)
    expect(program).toMatchObject({ pointer: runwayPointer(0), afterSpend: '0' })
  })

  describe('of actions', () => {
    const [first, ...others] = projection.payload.scenarios
    const runway = (monthsX3: number, beyondHorizon: boolean) => {
      const net = { monthsX3, beyondHorizon }
      return { ...first!.controlledRunway!, cash: { net, gross: net } }
    }
    const spendable = {
      ...projection,
      payload: {
        ...projection.payload,
        scenarios: [
          {
            ...first!,
            controlledRunway: runway(4500, false),
            controlledCashQuote: ['900', '600', '300', '100', '-100'],
          },
          ...others.map((one) => ({
            ...one,
            controlledRunway: runway(5000, true),
            controlledCashQuote: ['900', '900', '900', '900', '900'],
          })),
        ],
      },
    }

    it('each has the runway after its spend in every scenario, and scenarios are no alternatives', () => {
      const options = assembledOptions({ projection: spendable }, [
        { label: 'Buy back', spendQuote: '500' },
        { label: 'Buy more', spendQuote: '901', reversibility: 'IRREVERSIBLE' },
      ])
      const after = options.map(({ label, reversibility, metrics }) => [
        ...[label, reversibility],
        ...metrics.flatMap(({ afterSpend, value }) => (afterSpend ? [value] : [])),
      ])
      expect(after).toEqual([
        ['Continue as planned', 'REVERSIBLE', 4000, ...others.map(() => 5000)],
        ['Buy back', 'COSTLY', 2000, ...others.map(() => 5000)],
        ['Buy more', 'IRREVERSIBLE', 0, ...others.map(() => 0)],
      ])
    })

    it('their figures are bound to the runway and the spend', () => {
      const options = assembledOptions({ projection: spendable }, [
        { label: 'Buy back', spendQuote: '500' },
      ])
      const byVersion = new Map([[spendable.resourceVersion, spendable]])
      const bound = bindMetrics(options, byVersion, '')
      expect([bound.unitless, bound.mismatched]).toEqual([{}, {}])
      const [metric] = bound.options[1]!.metrics
      expect(metric).toMatchObject({
        unit: 'MONTHS_X3',
        better: 'HIGHER',
        afterSpend: '500',
        asset: projection.payload.quoteKey,
        label: expect.stringMatching(/After the spend$/),
      })
      expect(unboundFault(metric!, spendable)).toBeNull()
      // A later runway says what became of it.
      expect(isSameMeasure({ unit: 'MONTHS_X3' }, predictedMeasure(metric!))).toBe(true)
      expect(unboundFault({ ...metric!, afterSpend: '10' }, spendable)).toMatchObject({
        member: 'value',
        message: expect.stringContaining('after a spend of 10; got 2000'),
      })
      const elsewhere = { ...metric!, pointer: '/payload/minimumCashQuote' }
      expect(unboundFault(elsewhere, spendable)).toMatchObject({ member: 'afterSpend' })
    })
  })

  it('holds its evidence as long as its kind says', () => {
    expect(
      ['TreasuryProjection', 'TreasuryStressStudy', 'UnlockImpact'].map(usualAgeSeconds),
    ).toEqual([...[7 * 86_400, 30 * 86_400, 14 * 86_400]])
  })
})

describe('alternatives of research', () => {
  it('reports a breached guardrail in quote units if the decimals are known', () => {
    const { data: run } = responseExamples.getAgentRun as {
      data: VersionedRecord<contract.AgentRun>
    }
    const report = run.payload.report as contract.ResearchReport
    const [alternative] = report.alternatives
    const broken = { comparator: 'GTE', statistic: 'P05', isBroken: true } as const
    const guardrails = [
      { ...broken, metric: 'NET_VS_HOLD', value: '-1234500000000000000', threshold: '0' },
      { ...broken, metric: 'TIME_IN_RANGE', value: '420000', threshold: '500000' },
      { ...broken, metric: 'NET_VS_HOLD', value: '2', threshold: '1', isBroken: false },
    ] as const
    const failed = { ...report, alternatives: [{ ...alternative!, guardrails: [...guardrails] }] }
    const risksIn = (decimals: number | null) =>
      researchOptions(run, failed, [{ asset: report.quoteAsset, decimals }])[1]!.risks
    expect(risksIn(18)).toEqual([
      expect.stringMatching(
        /net P&L vs initial capital, 5 % quantile −1\.2345 \S+, required at least 0 \S+/,
      ),
      'Breaches the guardrail: time in range, 5 % quantile 42 %, required at least 50 %',
    ])
    expect(risksIn(null)[0]).toMatch(/quantile −1,234,500,000,000,000,000 atoms of \S+, required/)
  })
})

describe('a document', () => {
  it('prints exact figures or marks them as rounded', () => {
    const pack = packOf({ units: [{ asset: dollars, decimals: 2 }] })
    const format = (unit: contract.DecisionUnit, value: string | number | boolean) =>
      valueWords(pack, { unit, asset: unit === 'ATOMS' ? dollars : null }, value)
    expect([
      format('ATOMS', '123456789'),
      format('PIPS', 25_000),
      format('MONTHS_X3', 12_345),
      format('DAYS_X3', 500),
      format('FLAG', true),
      format('TIME', '2026-03'),
    ]).toEqual(['1,234,567.89 USD', '2.5 %', '12.345 months', '0.5 days', 'yes', '2026-03'])
  })

  it('has a part for everything that a pack says', () => {
    const payload = packOf({
      context: 'Known',
      options: [option('nothing', [metric('a', 1)]), option('act')],
    })
    const record = { id: 'decision_pack_1', sequence: 1, status: 'DRAFT', payload }
    const document = packDocument({
      ...record,
      createdAt: '2026-01-05T12:00:00Z',
      resourceVersion: '0x1',
    } as unknown as PackRecord)
    expect(document.parts.map(({ heading }) => heading)).toEqual([
      ...['Context', 'Alternatives', 'Costs and limit breaches', 'Decision'],
      ...['Figures and their sources', 'Evidence', 'Verification'],
    ])
    for (const { tables } of document.parts) {
      for (const { heads, rows } of tables) {
        for (const row of rows) expect(row).toHaveLength(heads.length)
      }
    }
  })
})
