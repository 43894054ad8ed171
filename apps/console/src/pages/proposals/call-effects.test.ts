import { describe, expect, it } from 'vitest'
import { type DecodedCall, effectsOf, inFours } from './call-effects.ts'
import { readSignature } from './function-signatures.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const other = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const control = { owners: [other, '0x2', '0x3'], threshold: 2 }
const assetOf = (key: string) =>
  key === token
    ? { symbol: 'WETH', decimals: 18, address: token }
    : key === 'native'
      ? { symbol: 'ETH', decimals: 18, address: '' }
      : null

const transfer = 'transfer(address to, uint256 amount)'
const approve = 'approve(address spender, uint256 amount)'
const swapV2 =
  'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)'
const decrease =
  'decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)'
const swapV3 =
  'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)'
const changeThreshold = 'changeThreshold(uint256 threshold)'
const addOwner = 'addOwnerWithThreshold(address owner, uint256 threshold)'
const removeOwner = 'removeOwner(address previous, address owner, uint256 threshold)'

const safe = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const terms = { safe, control, assetOf }

const call = (signature: string | null, given: Record<string, string>): DecodedCall => {
  const data = signature === null ? '0x' : readSignature(signature).selector
  return {
    to: token,
    value: '0',
    selector: data,
    functionName: signature?.split('(')[0] ?? null,
    readBy: 'STANDARD',
    words: 'Words of the service.',
    data,
    arguments: Object.entries(given).map(([name, value]) => ({ name, value })),
  }
}
/** The effect of a single call. */
function effectOf(one: DecodedCall, context: Parameters<typeof effectsOf>[1]) {
  const [found] = effectsOf([one], context)
  if (!found) throw new Error('The call has no effect.')
  return found
}

const safeCall = (signature: string, given: Record<string, string>) => ({
  ...call(signature, given),
  to: safe,
})

describe('effects of calls', () => {
  it.each([
    [
      addOwner,
      { owner: other, threshold: '2' },
      'Add an owner to the Safe. Required signatures: 2 of 3 becomes 2 of 4.',
    ],
    [
      removeOwner,
      { prevOwner: other, owner: other, threshold: '1' },
      'Remove an owner from the Safe. Required signatures: 2 of 3 becomes 1 of 2.',
    ],
    [
      changeThreshold,
      { _threshold: '2' },
      'Change the required signatures. Required signatures stay at 2 of 3.',
    ],
    [transfer, { to: other, value: '1500000000000000000' }, 'Send 1.5 WETH.'],
    [approve, { spender: other, amount: '0' }, 'Revoke an allowance.'],
    [
      approve,
      { spender: other, amount: '250000000000000000' },
      'Allow the spender to take up to 0.25 WETH.',
    ],
    [
      approve,
      { spender: other, amount: `${2n ** 256n - 1n}` },
      'Allow the spender to take any amount of WETH.',
    ],
    ['setAgreement()', {}, 'Words of the service.'],
  ])('describes %s %j', (name, given, text) => {
    const target = /Owner|Threshold/.test(name) ? safe : token
    expect(effectOf({ ...call(name, given), to: target }, terms)).toMatchObject({
      text,
      isUnknown: false,
    })
  })

  const weth = token
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  const tokensOf = (key: string) =>
    key === usdc ? { symbol: 'USDC', decimals: 6, address: usdc } : assetOf(key)
  const withTokens = { ...terms, assetOf: tokensOf }
  const ends = 'Valid until 2026-05-28 20:26:40 UTC.'

  it.each([
    [
      'a swap of one pool',
      swapV3,
      {
        params: `{ tokenIn: ${usdc}, tokenOut: ${weth}, fee: 3000, recipient: ${safe}, deadline: 1780000000, amountIn: 2500000000, amountOutMinimum: 990000000000000000, sqrtPriceLimitX96: 0 }`,
      },
      `Swap 2,500 USDC in the 0.3 % pool of Uniswap v3 for at least 0.99 WETH. ${ends}`,
    ],
    [
      'a swap without a minimum',
      swapV2,
      {
        amountIn: '1000000',
        amountOutMin: '0',
        path: `[${usdc}, ${weth}]`,
        to: other,
        deadline: '1780000000',
      },
      `Swap 1 USDC on Uniswap v2 for any amount of WETH: no minimum is set. ${ends}`,
    ],
    [
      'a new position',
      'mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params)',
      {
        params: `{ token0: ${usdc}, token1: ${weth}, fee: 500, tickLower: 190000, tickUpper: 200000, amount0Desired: 1000000, amount1Desired: 5, amount0Min: 0, amount1Min: 0, recipient: ${safe}, deadline: 1780000000 }`,
      },
      `Open a position in the 0.05 % pool of Uniswap v3 with up to 1 USDC and 0.000000000000000005 WETH. Price range: 0.000178313 to 0.00048468 WETH per USDC. ${ends}`,
    ],
    [
      'fees of a position',
      'collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params)',
      { params: `{ tokenId: 7, recipient: ${safe}, amount0Max: 9, amount1Max: 9 }` },
      'Collect the tokens and fees of position #7.',
    ],
    [
      'an allowance of Permit2',
      'approve(address token, address spender, uint160 amount, uint48 expiration)',
      { token: usdc, spender: other, amount: '5000000', expiration: '1780000000' },
      `Allow the spender to take up to 5 USDC. ${ends}`,
    ],
    ['unwrapping', 'withdraw(uint256 amount)', { amount: '1000000000000000000' }, 'Unwrap 1 WETH.'],
  ])('describes %s', (_, name, given, text) => {
    expect(effectOf(call(name, given), withTokens).text).toBe(text)
  })

  it('names a recipient that is not the Safe, and who receives the payment', () => {
    const swap = (to: string) => ({
      amountIn: '1',
      amountOutMin: '1',
      path: `[${usdc}, ${weth}]`,
      to,
      deadline: '1',
    })
    const labels = (to: string) =>
      effectOf(call(swapV2, swap(to)), withTokens).addresses.map(({ label }) => label)
    expect(labels(safe)).toEqual(['Token sold', 'Token bought', 'Router'])
    expect(labels(other)).toEqual(['Token sold', 'Token bought', 'Recipient', 'Router'])
    expect(effectOf(call(transfer, { to: other, amount: '1' }), terms).payments).toEqual([
      { asset: token, to: other },
    ])
  })

  it('shows the full address of each token of a swap, also of unknown tokens', () => {
    const [sold, between, bought] = [other, usdc, safe.replace('0x9', '0x8')] as const
    const swap = {
      amountIn: '5',
      amountOutMin: '7',
      path: `[${sold}, ${between}, ${bought}]`,
      to: safe,
      deadline: '1780000000',
    }
    expect(effectOf(call(swapV2, swap), terms)).toMatchObject({
      text: `Swap 5 smallest units of the token sold on Uniswap v2 for at least 7 smallest units of the token bought. ${ends}`,
      addresses: [
        { label: 'Token sold', address: sold },
        { label: 'Intermediate token 1', address: between },
        { label: 'Token bought', address: bought },
        { label: 'Router', address: token },
      ],
    })
  })

  it.each([
    [
      'addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
      { amountADesired: '5', amountBDesired: '7', amountAMin: '0', amountBMin: '0' },
      'Add up to 5 smallest units of the first token and 7 smallest units of the second token',
    ],
    [
      'removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
      { liquidity: '1', amountAMin: '0', amountBMin: '7' },
      'any amount of the first token: no minimum is set and at least 7 smallest units of the second token',
    ],
  ])('shows the full address of each token of %s', (name, amounts, text) => {
    const given = { tokenA: other, tokenB: usdc, ...amounts, to: safe, deadline: '1780000000' }
    const found = effectOf(call(name, given), terms)
    expect(found.text).toContain(text)
    expect(found.addresses.slice(0, 2)).toEqual([
      { label: 'First token', address: other },
      { label: 'Second token', address: usdc },
    ])
  })

  it('shows the full address of a spender, which can be an account of a person', () => {
    expect(effectOf(call(approve, { spender: other, amount: '1' }), terms).addresses).toEqual([
      { label: 'Spender', address: other },
      { label: 'Token', address: token },
    ])
  })

  it('states that a far deadline never comes', () => {
    const position = {
      params: `{ tokenId: 7, liquidity: 5, amount0Min: 0, amount1Min: 0, deadline: ${2n ** 256n - 1n} }`,
    }
    expect(effectOf(call(decrease, position), terms).text).toMatch(/No deadline\.$/)
  })

  it('lists the addresses that a reader compares', () => {
    expect(effectOf(call(transfer, { to: other, amount: '1' }), terms).addresses).toEqual([
      { label: 'Recipient', address: other },
      { label: 'Token', address: token },
    ])
  })

  const unknownNote = 'of an unknown token (amount in smallest units, or token ID)'
  it.each([
    [transfer, { to: other, amount: '12345' }, `Send 12,345 ${unknownNote}.`],
    [
      'transferFrom(address from, address to, uint256 amount)',
      { from: safe, to: other, amount: '1234567' },
      `Move 1,234,567 ${unknownNote} between two accounts.`,
    ],
    [approve, { spender: other, amount: '7' }, `Allow the spender to take up to 7 ${unknownNote}.`],
    [
      approve,
      { spender: other, amount: '0' },
      'Revoke an allowance. If the token is an NFT: allow the spender to take token ID 0.',
    ],
    [
      approve,
      { spender: other, amount: `${2n ** 130n}` },
      `Allow the spender to take any amount of an unknown token, or the NFT with token ID ${2n ** 130n}.`,
    ],
  ])('does not take the number of an unknown token for an amount: %s %j', (name, given, text) => {
    expect(effectOf({ ...call(name, given), to: other }, terms).text).toBe(text)
  })

  it('describes a payment of the native coin', () => {
    const coin = { ...call(null, {}), readBy: 'COIN', value: '3000000000000000000', to: other }
    expect(effectOf(coin, terms)).toMatchObject({
      text: 'Send 3 ETH.',
      addresses: [{ label: 'Recipient', address: other }],
    })
  })

  it('adds the native coin of a known call', () => {
    const paid = { ...safeCall(changeThreshold, { _threshold: '2' }), value: '1000000000000000000' }
    expect(effectOf(paid, terms).text).toContain('It also sends 1 ETH to the target.')
  })

  it('formats only amounts that name their token in other calls', () => {
    const textOf = (words: string) =>
      effectOf({ ...call('swap(address tokenIn)', { tokenIn: token }), words }, terms).text
    expect(textOf(`Swap 1000000000000000000 of the base ${token} for 5000 of ${other}.`)).toBe(
      `Swap 1 WETH (${token}) for 5,000 smallest units of ${other}.`,
    )
    // A deadline and a token ID are no amounts of the only token.
    const words = `exit on ${other}: token ${token}, tokenId 12345678, deadline 1790000000.`
    expect(textOf(words)).toBe(words)
  })

  it('reads arguments by order, whatever their names', () => {
    const renamed = call(transfer, { target: other, units: '1000000000000000000' })
    expect(effectOf(renamed, terms).text).toBe('Send 1 WETH.')
  })

  it.each([
    ['deposit(uint256 assets, address receiver)', { assets: '5', receiver: other }],
    [
      'withdraw(address asset, uint256 amount, address to)',
      { asset: token, amount: '1000000', to: other },
    ],
    ['burn(uint256 amount)', { amount: '5' }],
  ])('does not mistake %s for a known function of the same name', (signature, given) => {
    expect(effectOf({ ...call(signature, given), readBy: 'RELEASE' }, terms)).toMatchObject({
      text: 'Words of the service.',
      addresses: [
        { label: 'Target', address: token },
        ...Object.entries(given)
          .filter(([, value]) => value.startsWith('0x'))
          .map(([name, address]) => ({ label: `Argument ${name}`, address })),
      ],
    })
  })

  it('speaks of wrapping only for the published build of a wrapped coin', () => {
    const wrap = { ...call('deposit()', {}), value: '1000000000000000000' }
    expect(effectOf(wrap, terms).text).toBe('Wrap 1 ETH.')
    expect(effectOf({ ...wrap, readBy: 'RELEASE' }, terms).text).toBe(
      'Words of the service. It also sends 1 ETH to the target.',
    )
  })

  it.each([
    ['setGuard(address guard)', 'transaction guard', 'Guard'],
    ['setModuleGuard(address moduleGuard)', 'module guard', 'Module guard'],
    ['setFallbackHandler(address handler)', 'fallback handler', 'Handler'],
  ])('distinguishes removal by %s', (signature, noun, label) => {
    const given = (address: string) => effectOf(safeCall(signature, { address }), terms)
    const removal = given(`0x${'0'.repeat(40)}`)
    expect(removal.text).toMatch(new RegExp(`^Remove the ${noun} of the Safe\\.`))
    expect(removal.addresses).toEqual([])
    expect(given(other).text).toMatch(new RegExp(`^Set the ${noun} of the Safe\\.`))
    expect(given(other).addresses).toEqual([{ label, address: other }])
  })

  it('starts each owner change from the state that earlier calls leave', () => {
    const swapOwner = 'swapOwner(address previous, address oldOwner, address newOwner)'
    const calls = [
      safeCall(addOwner, { owner: usdc, threshold: '2' }),
      safeCall(addOwner, { owner: token, threshold: '3' }),
      safeCall(swapOwner, { previous: usdc, oldOwner: token, newOwner: safe }),
      safeCall(removeOwner, { previous: '0x1', owner: other, threshold: '4' }),
      safeCall(changeThreshold, { threshold: '1' }),
    ]
    expect(effectsOf(calls, terms).map(({ text }) => text)).toEqual([
      'Add an owner to the Safe. Required signatures: 2 of 3 becomes 2 of 4.',
      'Add an owner to the Safe. Required signatures: 2 of 4 becomes 3 of 5.',
      'Replace an owner of the Safe. The required signatures do not change.',
      'Remove an owner from the Safe. Required signatures: 3 of 5 becomes 4 of 4.',
      'Change the required signatures. Required signatures: 4 of 4 becomes 1 of 4.',
    ])
  })

  it('describes Safe control only on the Safe itself', () => {
    expect(effectOf(call(changeThreshold, { threshold: '1' }), terms).text).toBe(
      'Words of the service.',
    )
  })

  it('marks a call without decoder as unknown, even if its name looks familiar', () => {
    const unread = { ...call(transfer, { to: other, amount: '1' }), readBy: null }
    expect(effectOf(unread, terms)).toMatchObject({ isUnknown: true })
  })
})

it('groups an address in fours', () => {
  expect(inFours(other)).toBe('15d3 4AAf 5426 7DB7 D7c3 6783 9AAf 71A0 0a2C 6A65')
})
