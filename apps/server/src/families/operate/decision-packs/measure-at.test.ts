import { type contract, recordFamilies, responseExamples } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect, it } from 'vitest'
import { valueAt } from '../../json-pointer.ts'
import { isValue } from './bind-pack.ts'
import { commonLabel } from './compare-options.ts'
import { isNumeric, measureAt } from './measure-at.ts'
import type { Metric } from './pack-types.ts'

/** Every record in the recorded answers of the service. */
function recordsIn(value: unknown): VersionedRecord[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn)
  if (typeof value !== 'object' || value === null) return []
  const isRecord = 'resourceType' in value && 'payload' in value && 'artifactHash' in value
  return isRecord ? [value as VersionedRecord] : Object.values(value).flatMap(recordsIn)
}
const recorded = recordsIn(responseExamples)
const recordOf = (type: string, isMeant: (payload: never) => unknown = () => true) => {
  const found = recorded.find(
    ({ resourceType, payload }) => resourceType === type && isMeant(payload as never),
  )
  if (!found) throw new Error(`No recorded answer has a ${type}.`)
  return found
}

/** Every pointer of a record that leads to a value. */
function pointersIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return isValue(value) ? [at] : []
  return Object.entries(value).flatMap(([name, member]) =>
    pointersIn(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

describe('the measure of a member', () => {
  it('has the unit, label and direction of its schema', () => {
    const score = recordOf('MarketQualityScore')
    expect(measureAt(score, '/payload/confidencePips')).toEqual({
      label: 'Confidence of the score',
      unit: 'PIPS',
      better: 'HIGHER',
    })
    const projection = recordOf(
      'TreasuryProjection',
      ({ scenarios }: contract.TreasuryProjection) => scenarios.length > 0,
    ) as VersionedRecord<contract.TreasuryProjection>
    const [scenario] = projection.payload.scenarios
    const at = '/payload/scenarios/0'
    expect(measureAt(projection, `${at}/runway/cash/net/monthsX3`)).toEqual({
      label: `Scenario ${scenario?.scenarioId} · Cash · with expected inflow · Runway`,
      unit: 'MONTHS_X3',
      better: 'HIGHER',
    })
    expect(measureAt(projection, `${at}/trough/cashQuote`)).toEqual({
      label: `Scenario ${scenario?.scenarioId} · Lowest point · Cash`,
      unit: 'ATOMS',
      better: 'HIGHER',
      asset: projection.payload.quoteKey,
    })
  })

  it('takes the asset from the record: next to the member, or the token of a chain', () => {
    const projection = recordOf(
      'TreasuryProjection',
      ({ opening }: contract.TreasuryProjection) => opening.length > 0,
    ) as VersionedRecord<contract.TreasuryProjection>
    expect(measureAt(projection, '/payload/opening/0/free')).toMatchObject({
      asset: projection.payload.opening[0]?.assetKey,
    })
    const score = recordOf(
      'MarketQualityScore',
      ({ depth }: contract.MarketQualityScore) => depth.length > 0,
    ) as VersionedRecord<contract.MarketQualityScore>
    const { chainId, quote } = score.payload.request.pair
    expect(measureAt(score, '/payload/depth/0/quote')).toMatchObject({
      unit: 'ATOMS',
      asset: `eip155:${chainId}/erc20:${quote.toLowerCase()}`,
    })
  })

  it('follows the unit and direction that the research states', () => {
    const run = recordOf('AgentRun', ({ report }: contract.AgentRun) => report !== null)
    const { report } = run.payload as { report: contract.ResearchReport }
    const expected = report.primary.unit === 'QUOTE_ATOMS' ? 'ATOMS' : 'PIPS'
    const measured = measureAt(run, '/payload/report/alternatives/0/primary/mean')
    expect(measured).toMatchObject({ unit: expected, better: report.primary.direction })
    expect(measured).toMatchObject({ label: expect.stringContaining(report.primary.metric) })
  })

  it('is none for a parameter, a number of another kind of record, or a member that no schema has', () => {
    const score = recordOf('MarketQualityScore')
    for (const pointer of [
      '/payload/request/referenceTradeSizeQuote',
      '/sequence',
      '/payload/no',
    ]) {
      expect(measureAt(score, pointer)).toEqual({ problem: expect.any(String) })
    }
    expect(measureAt(recordOf('VenueProfile'), '/payload/pair/baseDecimals')).toEqual({
      problem: 'its schema defines no unit',
    })
    expect(measureAt({ ...score, resourceType: 'Unknown' }, '/status')).toEqual({
      problem: 'no schema of Unknown describes it',
    })
  })

  it('is found for every value of recorded records: a figure, or the reason why it is none', () => {
    const faults: string[] = []
    const reasons = new Set<string>()
    let figures = 0
    const byKind = new Map(recorded.map((record) => [record.resourceType, record]))
    for (const record of byKind.values()) {
      if (!recordFamilies.some(({ type }) => type === record.resourceType)) continue
      for (const pointer of pointersIn(record)) {
        const measured = measureAt(record, pointer)
        if ('problem' in measured) {
          reasons.add(measured.problem.replace(record.resourceType, 'a kind'))
          continue
        }
        const { label, unit, asset } = measured
        const isWord = ['TEXT', 'TIME', 'FLAG'].includes(unit)
        if (!isWord) figures += 1
        const isSound =
          label !== '' &&
          !label.includes('?') &&
          (asset !== undefined) === (unit === 'ATOMS') &&
          !(isWord && typeof valueAt(record, pointer) === 'number')
        if (!isSound) faults.push(`${record.resourceType} ${pointer}: ${label} ${unit} ${asset}`)
      }
    }
    expect(faults).toEqual([])
    expect(figures).toBeGreaterThan(300)
    expect([...reasons].sort()).toEqual([
      'its schema defines no unit',
      'no schema of a kind describes it',
    ])
  })

  it('knows decimals from words by the form of the schema', () => {
    expect(isNumeric({ pattern: '^(0|[1-9][0-9]{0,77})$' }, '12')).toBe(true)
    expect(isNumeric({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }, '12')).toBe(false)
    expect(isNumeric({ type: 'integer' }, 12)).toBe(true)
  })
})

describe('the label of a row', () => {
  const source = { resourceType: 'TreasuryProjection' } as Metric['source']
  const labelOf = (...all: (readonly [label: string, pointer: string])[]) =>
    commonLabel(all.map(([label, pointer]) => ({ label, pointer, source })))
  const runway = (index: number, view = 'net') => `/payload/scenarios/${index}/runway/${view}`
  it('is the common value of one member in several scenarios', () => {
    const [base, winter] = ['Scenario base · Cash · Runway', 'Scenario winter · Cash · Runway']
    expect(labelOf([base, runway(0)], [winter, runway(1)])).toBe('Cash · Runway')
    expect(labelOf([base, runway(0)], [base, runway(0)])).toBe(base)
  })

  it('is all of them where the figures are of different things', () => {
    const [fees, hodl] = ['Fees · mean', 'HODL · mean']
    expect(labelOf([fees, '/payload/fees/mean'], [hodl, '/payload/hold/mean'])).toBe(
      `${fees} / ${hodl}`,
    )
    const month = (name: string) => `Scenario base · ${name} · Cash at month end`
    const at = (itemIndex: number) => `/payload/scenarios/0/months/${itemIndex}/cashQuote`
    expect(labelOf([month('2026-03'), at(2)], [month('2026-05'), at(4)])).toBe(
      `${month('2026-03')} / ${month('2026-05')}`,
    )
  })
})
