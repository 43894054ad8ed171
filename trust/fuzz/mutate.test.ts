import { expect, it } from 'vitest'
import { mulberry32 } from '../../apps/server/test/support/seeded-random.ts'
import { mutated, mutationOf, placesOf } from './mutate.ts'

const request = { params: { id: 'venue_1' }, body: { payload: { tags: ['a', 'b'] }, reason: 'x' } }

it('finds every place of a request', () => {
  expect(placesOf(request).map((path) => path.join('.'))).toEqual([
    '',
    'params',
    'params.id',
    'body',
    'body.payload',
    'body.payload.tags',
    'body.payload.tags.0',
    'body.payload.tags.1',
    'body.reason',
  ])
})

it('replaces, removes and adds, and leaves the request itself unchanged', () => {
  const before = structuredClone(request)
  const changed = mutated(request, [
    { path: ['body', 'reason'], how: 'REPLACE', value: 7 },
    { path: ['body', 'payload', 'tags', '0'], how: 'REMOVE' },
    { path: ['params', 'id'], how: 'REMOVE' },
    { path: ['body', 'surprise'], how: 'ADD', value: 1 },
    { path: ['body', 'nowhere', 'at', 'all'], how: 'ADD', value: 1 },
  ])
  expect(changed).toEqual({
    params: {},
    body: { payload: { tags: ['b'] }, reason: 7, surprise: 1 },
  })
  expect(request).toEqual(before)
})

it('sends a member that is called as the prototype, and changes no prototype', () => {
  const path = ['body', '__proto__']
  const changed = mutated(request, [{ path, how: 'ADD', value: { polluted: true } }])
  expect(JSON.stringify(changed)).toContain('"__proto__":{"polluted":true}')
  expect((changed.body as { polluted?: boolean }).polluted).toBeUndefined()
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

it('draws the same changes from the same seed, and many of them', () => {
  const drawn = (seed: number) => {
    const random = mulberry32(seed)
    return Array.from({ length: 200 }, () => JSON.stringify(mutationOf(request, ['job_1'], random)))
  }
  expect(drawn(5)).toEqual(drawn(5))
  expect(drawn(6)).not.toEqual(drawn(5))
  expect(new Set(drawn(5)).size).toBeGreaterThan(80)
})
