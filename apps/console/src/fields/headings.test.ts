import { expect, it } from 'vitest'
import { headingsOf } from './meaning.ts'

it('adds the member around a heading that is taken or says nothing alone', () => {
  const paths = ['payload.marketMaker.name', 'payload.period.to', 'payload.kind', 'status']
  expect([...headingsOf(paths, ['Name']).values()]).toEqual([
    'Market maker name',
    'Period to',
    'Kind',
    'Status',
  ])
  expect([...headingsOf(['payload.base.size', 'payload.quote.size'], []).values()]).toEqual([
    'Base size',
    'Quote size',
  ])
})
