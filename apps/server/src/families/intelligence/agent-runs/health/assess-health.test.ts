import { describe, expect, it } from 'vitest'
import { daySeconds } from '../../../../units.ts'
import type { Material } from '../assessed/documents.ts'
import { assessHealth } from './assess-health.ts'

const pair = { chainId: 1, base: '0xB', quote: '0xQ', baseDecimals: 18, quoteDecimals: 18 }
const asOf = '2026-01-05T12:00:00.000Z'
const ago = (seconds: number) => new Date(Date.parse(asOf) - seconds * 1000).toISOString()

const documentOf = (resourceType: string, id: string, payload: object, status = 'ACTIVE') => ({
  item: { evidenceId: `evidence_${id}`, source: { kind: 'RECORD', resourceType } },
  content: { id, status, payload },
})
const score = (more: object = {}) =>
  documentOf('MarketQualityScore', 'score', {
    grade: 'A',
    scorePips: 900_000,
    caps: [],
    validUntil: '2026-02-01T00:00:00Z',
    ...more,
  })
const venue = documentOf('VenueProfile', 'venue_1', { name: 'Pool', read: { cadenceSeconds: 60 } })
const observation = (seconds: number, { proved = true, code = '', id = 'observation_1' } = {}) =>
  documentOf('VenueObservation', id, {
    venue: { id: 'venue_1' },
    continuity: { proved },
    metrics: { tvlQuote: '1' },
    range: { to: { timestamp: ago(seconds), number: 7 } },
    gaps: code === '' ? [] : [{ code }],
  })
const swept = (seconds: number) => ({
  item: { evidenceId: 'evidence_sweep', source: { kind: 'JOB' } },
  content: { sweptTo: { venue_1: Date.parse(asOf) / 1000 - seconds } },
})
const rules = {
  rulesVersion: 'health-rules-v1',
  staleIntervals: 3,
  staleLeastSeconds: 900,
  staleEscalation: 4,
  snapshotSeconds: 3600,
  policyNoticeSeconds: 7 * daySeconds,
}
const anomaly = (id: string, severity: string) =>
  documentOf('LiquidityAnomaly', id, { severity, kind: 'LIQUIDITY_WITHDRAWAL', openedAt: asOf })

function assess(documents: object[], subject: object = { pair }, gaps: object[] = []) {
  const requested = { requestVersion: 'health-request-v1', subject, question: null, asOf, rules }
  const request = {
    item: { evidenceId: 'evidence_0', source: { kind: 'REQUEST' } },
    content: requested,
  }
  return assessHealth({
    captureHash: `0x${'1'.repeat(64)}`,
    gaps,
    documents: [request, ...documents],
  } as unknown as Material)
}

const verdicts = (documents: object[], subject?: object) =>
  Object.fromEntries(assess(documents, subject).areas.map(({ area, verdict }) => [area, verdict]))

describe('a market', () => {
  it('is sound where everything is read, graded well and quiet', () => {
    const report = assess([score(), venue, observation(60), swept(60)])
    expect([report.state, report.verdict, report.reasons]).toEqual(['COMPLETED', 'SOUND', []])
  })

  it('is as its grade, and attended to where a cap binds', () => {
    const of = (more: object) => verdicts([score(more), venue, observation(60), swept(60)]).QUALITY
    expect(['A', 'B', 'C', 'D', 'E'].map((grade) => of({ grade }))).toEqual([
      ...['SOUND', 'SOUND', 'ATTENTION', 'CRITICAL', 'CRITICAL'],
    ])
    expect(of({ caps: ['SINGLE_PROVIDER'] })).toBe('ATTENTION')
    // Its last moment is over.
    expect([of({ validUntil: asOf }), of({ validUntil: ago(-1) })]).toEqual([null, 'SOUND'])
  })

  it('is stale after fifteen minutes of a venue read every minute, and long stale after an hour', () => {
    const of = (seconds: number) => verdicts([score(), venue, observation(seconds), swept(seconds)])
    expect([of(900).VENUES, of(901).VENUES, of(3600).VENUES, of(3601).VENUES]).toEqual([
      ...['SOUND', 'ATTENTION', 'ATTENTION', 'CRITICAL'],
    ])
    // Where nothing was read lately, that nothing is open says nothing.
    expect([of(900).INCIDENTS, of(901).INCIDENTS]).toEqual(['SOUND', null])
    expect(verdicts([score(), venue, observation(60, { proved: false })]).VENUES).toBe('ATTENTION')
  })

  it('is looked through for incidents by events and sweeps, and not by a state that was read', () => {
    const state = observation(60, { code: 'EVENTS_NOT_READ', id: 'observation_2', proved: false })
    const of = (...documents: object[]) => verdicts([score(), venue, ...documents])
    // The state is fresh, and says nothing of what happened.
    expect(of(observation(9000), state, swept(60))).toMatchObject({
      VENUES: 'SOUND',
      INCIDENTS: null,
    })
    expect(of(state, swept(60)).INCIDENTS).toBe(null)
    const sweeps = [observation(60), swept(900)]
    expect([of(...sweeps).INCIDENTS, of(observation(60), swept(901)).INCIDENTS]).toEqual([
      ...['SOUND', null],
    ])
    expect(of(observation(60)).INCIDENTS).toBe(null)
    // What is open stands, and that nothing worse is open is not known.
    const unswept = (severity: string) =>
      assess([score(), venue, observation(60), anomaly('anomaly_1', severity)])
    expect(unswept('INFO').areas[2]).toMatchObject({ verdict: null, findings: [{}] })
    expect([unswept('WARNING').areas[2]!.verdict, unswept('WARNING').reasons]).toEqual([
      ...['ATTENTION', ['INCIDENTS_PARTIAL']],
    ])
  })

  it('is reported as partial if cut; the worst findings come first', () => {
    const whole = [score(), venue, observation(60), swept(60)]
    const cut = assess(whole, { pair }, [{ code: 'ANOMALIES_CUT', detail: 'some' }])
    expect([cut.state, cut.reasons]).toEqual(['PARTIAL', ['ANOMALIES_CUT']])
    const many = [...Array.from({ length: 70 }, (_, index) => anomaly(`a_${index}`, 'INFO'))]
    const { areas } = assess([...whole, ...many, anomaly('b_1', 'CRITICAL')])
    const [, , incidents] = areas
    expect([incidents!.findings.length, incidents!.findings[0]!.severity]).toEqual([71, 'CRITICAL'])
  })

  it('is judged by the rules that were sealed with it, and by no others', () => {
    const request = { requestVersion: 'health-request-v1', subject: { pair }, question: null, asOf }
    const by = (changed: object) =>
      assessHealth({
        captureHash: '0x',
        gaps: [],
        documents: [
          {
            item: { evidenceId: 'evidence_0', source: { kind: 'REQUEST' } },
            content: { ...request, rules: { ...rules, ...changed } },
          },
          ...[score(), venue, observation(1000), swept(60)],
        ],
      } as unknown as Material)
    const of = (changed: object) => by(changed).areas[1]!.verdict
    expect([of({}), of({ staleLeastSeconds: 1000 })]).toEqual(['ATTENTION', 'SOUND'])
    expect(() => by({ rulesVersion: 'health-rules-v9' })).toThrow(
      'Unknown rules version: health-rules-v9',
    )
  })

  it('is as bad as its worst incident', () => {
    const of = (...severities: string[]) =>
      assess([
        ...[score(), venue, observation(60), swept(60)],
        ...severities.map((severity, index) => anomaly(`anomaly_${index}`, severity)),
      ]).verdict
    expect([of('INFO'), of('INFO', 'WARNING'), of('WARNING', 'CRITICAL')]).toEqual([
      ...['SOUND', 'ATTENTION', 'CRITICAL'],
    ])
  })

  it('is reported as partial with one of two venues unread, and withheld with no venue read', () => {
    const other = { ...venue, content: { ...venue.content, id: 'venue_2' } }
    const half = assess([score(), venue, other, observation(60), swept(60)])
    expect([half.state, half.reasons]).toEqual([
      ...['PARTIAL', ['INCIDENTS_UNKNOWN', 'VENUES_PARTIAL']],
    ])
    const none = assess([venue])
    expect([none.state, none.verdict]).toEqual(['ABSTAINED', null])
  })
})

describe('a vault', () => {
  const vault = (more: object = {}) =>
    documentOf('QualifiedVault', 'vault', {
      pair,
      qualification: 'QUALIFIED',
      control: { threshold: 2 },
      controlEpoch: '2',
      checks: [{ code: 'OWNERS', ok: true, observed: '3' }],
      snapshot: { timestamp: ago(60), number: 9 },
      ...more,
    })
  const policy = (expiresAt: string, controlEpoch = '2') =>
    documentOf('AutonomyPolicy', 'policy', { level: 1, expiresAt, controlEpoch })
  const market = [score(), venue, observation(60), swept(60)]
  const of = (...documents: object[]) => verdicts([...market, ...documents], { vaultId: 'vault' })

  it('is judged by its snapshot and its checks', () => {
    const failed = [{ code: 'GUARD', ok: false, observed: 'none' }]
    const old = { timestamp: ago(3601), number: 9 }
    expect(
      [{}, { checks: failed }, { snapshot: old }, { qualification: 'UNQUALIFIED' }].map(
        (more) => of(vault(more)).CONTROL,
      ),
    ).toEqual(['SOUND', 'ATTENTION', 'ATTENTION', 'CRITICAL'])
  })

  it('is reported if expired or paused', () => {
    const as = (status: string) => {
      const unchanged = vault()
      return of({ ...unchanged, content: { ...unchanged.content, status } }).CONTROL
    }
    expect([as('RETIRED'), as('PAUSED'), as('ACTIVE')]).toEqual(['CRITICAL', 'ATTENTION', 'SOUND'])
  })

  it('has a policy that allows no action after a change of control', () => {
    expect(of(vault(), policy(ago(-30 * daySeconds), '1')).POLICY).toBe('CRITICAL')
  })

  it('is checked against a policy in force, with a notice if it ends within seven days', () => {
    const ends = (seconds: number) => of(vault(), policy(ago(-seconds))).POLICY
    expect([ends(8 * daySeconds), ends(7 * daySeconds), ends(0), of(vault()).POLICY]).toEqual([
      ...['SOUND', 'ATTENTION', null, null],
    ])
  })
})
