import { expect, it } from 'vitest'
import { maxSeconds, parseOptions } from './options.ts'

it('reads every option, and has a default for each', () => {
  expect(parseOptions([], 7)).toEqual({
    kind: 'OPTIONS',
    options: { before: null, seconds: 60, rate: 20, seed: 7 },
  })
  const args = ['--before', '2a77e941', '--seconds', '1.5', '--rate', '8', '--seed', '24']
  expect(parseOptions(args, 7)).toEqual({
    kind: 'OPTIONS',
    options: { before: '2a77e941', seconds: 1.5, rate: 8, seed: 24 },
  })
  expect(parseOptions(['--help'], 7)).toEqual({ kind: 'HELP' })
})

it.each([
  [['--seconds', '0'], '--seconds'],
  [['--seconds', String(maxSeconds + 1)], '--seconds'],
  [['--seconds', 'long'], '--seconds'],
  [['--rate', '-1'], '--rate'],
  [['--seed', '1.5'], '--seed'],
  [['--before', ''], '--before'],
  [['--before'], '--before'],
  [['--minutes', '1'], '--minutes'],
])('refuses %j and names the option', (args, option) => {
  const message = expect.stringContaining(option)
  expect(parseOptions(args, 7)).toEqual({ kind: 'INVALID', message })
})
