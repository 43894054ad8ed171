import { expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'
import { fold, matchKinds, search } from './search.ts'

const found = (query: string) => search(catalogue(), fold(query))
const first = (query: string) => found(query)[0]

it('shows the match of a token and its distance', () => {
  const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
  expect(first(weth)).toMatchObject({ matched: 'ADDRESS', token: { chainId: 1, symbol: 'WETH' } })
  expect(first(`eip155:1/erc20:${weth.toLowerCase()}`)).toMatchObject({ matched: 'ADDRESS' })
  expect(first('ＷＥＴＨ')).toMatchObject({ matched: 'SYMBOL', similarityPips: 1_000_000 })
  expect(first('uniswa')).toMatchObject({ matched: 'NAME_PREFIX', similarityPips: 857_142 })
  expect(first('ether wrapped')).toMatchObject({ matched: 'WORDS', similarityPips: 1_000_000 })
  // "unswap" and "uniswap" have the triples "  u", " un", "swa", "wap" and "ap " of ten in all.
  const misspelt = found('unswap').find(({ token }) => token.symbol === 'UNI')
  expect(misspelt).toMatchObject({ matched: 'TRIGRAM', similarityPips: 500_000 })
})

it('orders by kind, similarity, chain and key, the same every time', () => {
  for (const query of ['usd', 'wrapped', 'aave', 'dai']) {
    const matches = found(query)
    expect(found(query)).toEqual(matches)
    const keys = matches.map(({ matched, similarityPips, token }) =>
      [
        matchKinds.indexOf(matched),
        `${1_000_000 - similarityPips}`.padStart(7, '0'),
        `${token.chainId}`.padStart(16, '0'),
        token.assetKey,
      ].join(' '),
    )
    expect(matches.length).toBeGreaterThan(1)
    expect(keys).toEqual(keys.toSorted())
  }
})

it('finds no match for text unlike any token', () => {
  expect(found('zzzzqqqq xxxx')).toEqual([])
  expect(found('%%')).toEqual([])
})
