import { expect, it } from 'vitest'
import { assetsOf, coinIn, noUnits, readAssets, unitsOfKeys, unitsWithin } from './units.tsx'

const [base, quote, foreign] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
]
const pair = { chainId: 1, base, quote, baseDecimals: 18, quoteDecimals: 6 }
const keyOf = (address: string) => `eip155:1/erc20:${address}`
const assetOf = assetsOf([{ payload: { pair } }], new Map([[`1:${base}`, 'ENS']]))
const readAsset = (key: string) => {
  const asset = assetOf(key)
  return asset && [asset.symbol, asset.decimals]
}

it('knows money, coins and the tokens of venues by their keys, and nothing else', () => {
  expect(readAsset('iso4217:USD')).toEqual(['USD', 2])
  expect(readAsset('iso4217:JPY')).toEqual(['JPY', 0])
  expect(readAsset('eip155:1/slip44:60')).toEqual(['ETH', 18])
  expect(readAsset('eip155:137/slip44:60')).toEqual(['POL', 18])
  expect(readAsset('eip155:31337/slip44:60')).toEqual(['native coin', 18])
  expect(readAsset('native')).toEqual(['native coin', 18])
  expect(readAsset(keyOf(base))).toEqual(['ENS', 18])
  expect(readAsset(keyOf(quote))).toEqual(['0x2222…2222', 6])
  expect(readAsset(keyOf(foreign))).toBeNull()
})

it('scales named members of an object by its asset, and other members by the outer asset', () => {
  const around = { ...noUnits, base: assetOf(keyOf(base)), own: assetOf(keyOf(base)) }
  expect(unitsWithin({ amount: '1' }, around, assetOf)).toEqual(around)
  expect(unitsWithin({ assetKey: 'iso4217:USD' }, around, assetOf).own?.symbol).toBe('USD')
  // An asset that nobody knows is not the one around.
  expect(unitsWithin({ asset: keyOf(foreign) }, around, assetOf).own).toBeNull()
  // An amount under the name of an asset names none.
  expect(unitsWithin({ token: '1000', quote: '5' }, around, assetOf)).toEqual(around)
})

it('takes the assets of a record from its members, and the decimals from its data', () => {
  const payload = {
    tokenDecimals: 9,
    quoteDecimals: null,
    request: { token: keyOf(foreign), quote: keyOf(quote) },
  }
  const units = unitsOfKeys(payload, assetOf)
  expect([units.base?.symbol, units.base?.decimals]).toEqual(['0x3333…3333', 9])
  expect(units.quote?.decimals).toBe(6)
  expect(unitsOfKeys({ label: 'None' }, assetOf)).toEqual(noUnits)
  // A token whose decimals nobody knows: what is counted in it is not counted in the quote.
  const unknown = unitsOfKeys({ token: keyOf(foreign), quote: keyOf(quote) }, assetOf)
  expect([unknown.own, unknown.quote?.decimals]).toEqual([null, 6])
  const named = readAssets({ assets: [{ asset: keyOf(foreign), decimals: 9 }] })
  expect([named(keyOf(foreign))?.decimals, named(keyOf(base))]).toEqual([9, null])
})

it('takes the coin of gas from the chain of a record, and from no other chain', () => {
  const symbolOf = (value: unknown) => coinIn(value)?.symbol
  expect(symbolOf({ request: { pair: { ...pair, chainId: 137 } } })).toBe('POL')
  expect(symbolOf({ chainId: 43114, gasWei: '1' })).toBe('AVAX')
  expect(symbolOf({ asset: 'eip155:100/erc20:0x1' })).toBe(coinIn({ chainId: 100 })?.symbol)
  expect(symbolOf({ chainId: 31337 })).toBe('native coin')
  expect(coinIn({ gasWei: '1', list: [1, null] })).toBeUndefined()
})
