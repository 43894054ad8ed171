import { expect, it } from 'vitest'
import { required } from './required.ts'

it('returns what exists, also if it is empty, and names what does not', () => {
  expect([required('', 'label'), required(0, 'count')]).toEqual(['', 0])
  expect(() => required(undefined, 'venue 3 of the program')).toThrow(
    'Missing venue 3 of the program.',
  )
  expect(() => required(null, 'step')).toThrow('Missing step.')
})
