import { expect, test } from 'vitest'
import { stableRecordings } from '../../../test/stable-recordings.ts'
import { answerStableCall, compareStableRecordings } from '../../parity/recorded-stable.ts'
import { exchangeStable, viewGetDy } from './exchange.ts'

const recordings = stableRecordings()

test.each(recordings.map(({ file, ...recording }) => [file, recording] as const))(
  'every recorded answer of %s comes out to the atom',
  (_file, { state, calls }) => {
    expect(calls.map(({ call }) => answerStableCall(state, call))).toEqual(
      calls.map(({ answer }) => answer),
    )
  },
)

test('a variant is VERIFIED by recordings that name chain, pool and block, and only by them', () => {
  const parity = compareStableRecordings(recordings)
  expect(parity.CLASSIC).toMatchObject({ verdict: 'VERIFIED', calls: 37, exact: 37, pinned: 37 })
  expect(parity.CLASSIC?.functions).toEqual({
    get_dy: 18,
    calc_token_amount: 9,
    calc_withdraw_one_coin: 9,
    get_virtual_price: 1,
  })
  expect(parity.NG).toMatchObject({ verdict: 'VERIFIED', calls: 13, exact: 13, pinned: 13 })
  expect(parity.A100).toMatchObject({ verdict: 'VERIFIED', calls: 17, exact: 17, pinned: 6 })
  expect(parity.A100_TWO_COIN).toMatchObject({ verdict: 'UNVERIFIED', calls: 17, exact: 17 })
  expect(parity.CLASSIC?.recordings).toEqual([
    '1/0xbebc44782c7db0a1a60cb6fe97d0b483032ff1c7@24407242',
  ])
})

test('one wrong answer takes the verdict away', () => {
  const [first, ...others] = recordings
  const [call, ...calls] = first!.calls
  const forged = { ...first!, calls: [{ ...call!, answer: call!.answer + 1n }, ...calls] }
  const parity = compareStableRecordings([forged, ...others])
  expect(parity.CLASSIC).toMatchObject({ verdict: 'UNVERIFIED', calls: 37, exact: 36 })
  expect(parity.NG?.verdict).toBe('VERIFIED')
})

test('the exchange of a CLASSIC pool takes the fee before it rounds to atoms, the view after', () => {
  const { state, calls } = recordings[0]!
  const apart = calls.flatMap(({ call }) =>
    call.function === 'get_dy'
      ? [exchangeStable(state, call, call.amount).amountOut - viewGetDy(state, call, call.amount)]
      : [],
  )
  expect(apart.filter((difference) => difference === 0n)).toHaveLength(11)
  expect(apart.every((difference) => difference === 0n || difference === -1n)).toBe(true)
})
