import { expect, it } from 'vitest'
import { areOfOneMeasure, changesBetween, compareBasis, differenceOf } from './differences.ts'

it('compares entries of lists under what names them, and other lists as a whole', () => {
  const from = {
    arms: [
      { armId: 'wide', net: '5' },
      { armId: 'narrow', net: '7' },
    ],
    ticks: [1, 2],
  }
  const to = {
    arms: [
      { armId: 'narrow', net: '7' },
      { armId: 'wide', net: '3' },
      { armId: 'hold', net: '0' },
    ],
    ticks: [1, 3],
  }
  expect(changesBetween(from, to)).toEqual([
    { path: 'arms.wide.net', from: '5', to: '3' },
    { path: 'arms.hold', from: undefined, to: { armId: 'hold', net: '0' } },
    { path: 'ticks', from: [1, 2], to: [1, 3] },
  ])
  const modelled = (net: string) => [
    { armId: 'wide', flowModel: 'INELASTIC_INPUT', net: '5' },
    { armId: 'wide', flowModel: 'PRICE_SETTING', net },
  ]
  expect(changesBetween(modelled('5'), modelled('6'))).toEqual([
    { path: 'wide PRICE_SETTING.net', from: '5', to: '6' },
  ])
  // A name that two entries share tells them not apart.
  const twice = { arms: [{ armId: 'wide' }, { armId: 'wide' }] }
  expect(changesBetween(from, { ...twice, ticks: [1, 2] })).toEqual([
    { path: 'arms', from: from.arms, to: twice.arms },
  ])
})

it('reports the different inputs of two records and the difference of integers', () => {
  const a = { spec: { window: { fromBlock: 1 } }, evidence: { engineVersion: '1' } }
  const b = { spec: { window: { fromBlock: 2 } }, evidence: { engineVersion: '1' } }
  expect(compareBasis(a, b)).toEqual([
    { name: 'window', isSame: false },
    { name: 'engineVersion', isSame: true },
  ])
  const difference = (from: unknown, to: unknown) => differenceOf({ path: '', from, to })
  expect(difference('-5', '7')).toBe(12n)
  expect(difference(10, 4)).toBe(-6n)
  expect([difference('0x5', '7'), difference(null, '7'), difference(1.5, 2)]).toEqual([
    ...[null, null, null],
  ])
})

it('takes atoms of two assets for no one measure, whatever is counted in them', () => {
  const of = (token: string, quote: string) => ({ request: { token, depth: { quote } } })
  expect(areOfOneMeasure(of('1:0xa', '5'), of('1:0xa', '7'))).toBe(true)
  expect(areOfOneMeasure(of('1:0xa', '5'), of('1:0xb', '5'))).toBe(false)
  expect(compareBasis(of('1:0xa', '5'), of('1:0xb', '7'))).toEqual([
    { name: 'token', isSame: false },
  ])
})

it('distinguishes the components of a score by their codes', () => {
  const score = (value: string) => ({
    components: [
      { code: 'DEPTH', value: '1' },
      { code: 'SPREAD', value },
    ],
  })
  expect(changesBetween(score('2'), score('3'))).toEqual([
    { path: 'components.SPREAD.value', from: '2', to: '3' },
  ])
})
