import { describe, expect, it } from 'vitest'
import { families } from './families.ts'
import {
  areaPathOf,
  areas,
  compareTarget,
  createPages,
  listTarget,
  pageOf,
  recordTarget,
  tabsOf,
} from './pages.ts'

const entryOf = (key: string) => {
  const entry = families.find((family) => family.key === key)
  if (!entry) throw new Error(`No family has the key ${key}.`)
  return entry
}
const study = entryOf('studies')
const proofs = entryOf('treasury/project-control/proofs')

describe('areas', () => {
  it('lists each family in one tab', () => {
    const listed = areas.flatMap((area) => tabsOf(area).flatMap((tab) => tab.families))
    expect(listed.map(({ key }) => key).sort()).toEqual(families.map(({ key }) => key).sort())
  })

  it('names a family for the records of an area', () => {
    for (const { records } of areas)
      if (records !== undefined) expect(families.map(({ key }) => key)).toContain(records)
  })
})

describe('area of a path', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['/markets/1-0xaa-0xbb', 'markets'],
    ['/records', 'records'],
    ['/records/', 'records'],
    ['/records/scores/score_1', 'markets'],
    ['/records/treasury/projections/p_1', 'treasury'],
    ['/records/alert-rules/', 'alerts'],
    ['/records/nothing', 'records'],
  ])('of %j is %j', (path, area) => {
    expect(areaPathOf(path)).toBe(area)
  })
})

describe('targets', () => {
  it.each([
    ['studies', { path: 'studies', search: {} }],
    ['study-shares', { path: 'studies', search: { tab: 'shared' } }],
    [
      'treasury/custody-evidence',
      { path: 'treasury', search: { tab: 'wallets', list: 'treasury/custody-evidence' } },
    ],
    ['strategies', { path: 'plan', search: { tab: 'strategies' } }],
  ])('opens the list of %s in its tab', (key, target) => {
    expect(listTarget(entryOf(key))).toEqual(target)
  })

  it.each(families.map(({ key }) => key))(
    'shows the list, a record and a comparison of %s',
    (key) => {
      const entry = entryOf(key)
      const id = `${entry.key === 'alerts' ? 'VENUE_STALE:venue' : (entry.prefix ?? 'x')}_${'a'.repeat(32)}`
      const list = listTarget(entry)
      expect(pageOf(list.path, list.search)).toMatchObject({ kind: 'area' })
      // The router decodes the path.
      const { path } = recordTarget(entry, id)
      expect(pageOf(decodeURIComponent(path), {})).toEqual({ kind: 'record', entry, id })
      const compared = compareTarget(entry, ['a', 'b'])
      expect(pageOf(compared.path, compared.search)).toEqual({ kind: 'compare', entry })
    },
  )
})

describe('pages that create a record', () => {
  it.each([
    ['alerts/new', 'new-alert'],
    ['proof/new', 'new-passport'],
    ['proposals/new', 'new-proposal'],
    ['settings/new', 'new-provider'],
    ['studies/new', 'new-study'],
    ['markets/new', 'watch-market'],
  ])('opens %s', (path, kind) => {
    expect(pageOf(path, {})).toEqual({ kind })
  })

  it('belong to an operation of a family', () => {
    for (const [id, { path }] of Object.entries(createPages)) {
      expect(
        families.some(({ creates }) => creates.includes(id)),
        id,
      ).toBe(true)
      expect(pageOf(path, {}).kind).toMatch(/^new-/)
    }
  })
})

describe('former paths', () => {
  const to = (path: string, search: Record<string, string> = {}) => ({
    kind: 'redirect',
    target: { path, search },
  })

  it.each([
    ['set-up', 'markets/new'],
    ['study-ranges', 'studies/new'],
    ['market', 'markets'],
    ['market-map/1-0xaa-0xbb', 'markets/1-0xaa-0xbb'],
    ['passports/passport_1', 'proof/passport_1'],
    ['market-maker-mandates/mandate_1', 'makers/mandate_1'],
    ['scores/score_1', 'records/scores/score_1'],
    ['treasury/projections/p_1', 'records/treasury/projections/p_1'],
    ['go/VENUE_STALE:venue_1', 'alerts/VENUE_STALE%3Avenue_1'],
    [`go/study_${'a'.repeat(32)}`, `studies/study_${'a'.repeat(32)}`],
  ])('leads from %s to %s', (path, target) => {
    expect(pageOf(path, {})).toEqual(to(target))
  })

  it('opens the alert of a stored alert state', () => {
    const id = `alert_${'a'.repeat(32)}`
    expect(pageOf(`go/${id}`, {})).toEqual(to(`alerts/${id}`))
    expect(pageOf(`alerts/${id}`, {})).toEqual({ kind: 'alert-notice', id })
  })

  it('keeps the query', () => {
    expect(pageOf('set-up', { address: '0xaa' })).toEqual(to('markets/new', { address: '0xaa' }))
    expect(pageOf('scores', { form: 'createScores' })).toEqual(
      to('markets', { tab: 'quality', form: 'createScores' }),
    )
    expect(pageOf('scores/score_1', { tab: 'raw' })).toEqual(
      to('records/scores/score_1', { tab: 'raw' }),
    )
  })

  it('opens the market of a venue, but the record for its forms and history', () => {
    expect(pageOf('venues/venue_1', {})).toEqual({ kind: 'venue', id: 'venue_1' })
    expect(pageOf('venues/venue_1', { tab: 'history' })).toEqual(
      to('records/venues/venue_1', { tab: 'history' }),
    )
  })
})

describe('pages', () => {
  it('separates new records, markets and records of an area', () => {
    expect(pageOf('markets/new', {})).toEqual({ kind: 'watch-market' })
    expect(pageOf('studies/new', {})).toEqual({ kind: 'new-study' })
    expect(pageOf('alerts/new', {})).toEqual({ kind: 'new-alert' })
    expect(pageOf('markets/1-0xaa-0xbb', {})).toEqual({ kind: 'market', pairKey: '1-0xaa-0xbb' })
    expect(pageOf('studies/study_1', {})).toEqual({ kind: 'record', entry: study, id: 'study_1' })
    expect(pageOf('records', {})).toEqual({ kind: 'all-records' })
    expect(pageOf(`records/${proofs.key}`, {})).toEqual({ kind: 'list', entry: proofs })
  })

  it('ignores a slash at the end', () => {
    expect(pageOf('markets/', {})).toEqual(pageOf('markets', {}))
    expect(pageOf(`records/${proofs.key}/`, {})).toEqual({ kind: 'list', entry: proofs })
  })

  it.each(['nothing', 'records/nothing', 'markets/x', 'plan/x', 'go/x', 'studies/a/b/c'])(
    'does not know %s',
    (path) => {
      expect(pageOf(path, {})).toEqual({ kind: 'unknown' })
    },
  )
})
