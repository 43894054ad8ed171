import { contract } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import { describeAdapters } from './descriptors.ts'

const files = describeAdapters(contract.adapters)

const fileOf = (adapterId: string) =>
  files.find(({ context }) => context.$id.split('+').includes(adapterId))

/** Formats of a function by argument: token amounts with the path of their token. */
function formatsOf(adapterId: string, name: string): Record<string, unknown> {
  const formats = Object.entries(fileOf(adapterId)?.display.formats ?? {})
  const [, format] = formats.find(([signature]) => signature.startsWith(`${name}(`)) ?? []
  return Object.fromEntries(
    (format?.fields ?? []).map(({ path, format: kind, params }) => [
      path,
      kind === 'tokenAmount' ? params?.tokenPath : kind,
    ]),
  )
}

describe('a descriptor', () => {
  it('shows the coin of a payable wrap', () => {
    expect(fileOf('wrapped-native')?.display.formats['deposit()']?.fields).toEqual([
      { path: '@.value', label: 'value', format: 'amount' },
    ])
    const [abi] = fileOf('wrapped-native')?.context.contract.abi ?? []
    expect(abi).toMatchObject({ name: 'deposit', stateMutability: 'payable' })
  })

  it('shows amounts in their token, and times as dates', () => {
    expect(formatsOf('wrapped-native', 'withdraw')).toEqual({ amount: '@.to' })
    expect(formatsOf('permit2-allowance', 'approve')).toEqual({
      token: 'addressName',
      spender: 'addressName',
      amount: 'token',
      expiration: 'date',
    })
    expect(formatsOf('uniswap-swap-router-02', 'exactInputSingle')).toMatchObject({
      'params.amountIn': 'params.tokenIn',
      'params.amountOutMinimum': 'params.tokenOut',
    })
    // The path of a swap that names its output is in reverse order.
    expect(formatsOf('uniswap-v3-swaps', 'exactOutput')).toMatchObject({
      'params.amountOut': 'params.path.[0:20]',
      'params.amountInMaximum': 'params.path.[-20:]',
      'params.deadline': 'date',
    })
    expect(formatsOf('uniswap-v2-swaps', 'swapTokensForExactTokens')).toMatchObject({
      amountOut: 'path.[-1]',
      amountInMax: 'path.[0]',
    })
    expect(formatsOf('uniswap-v2-liquidity', 'addLiquidity')).toMatchObject({
      amountADesired: 'tokenA',
      amountBMin: 'tokenB',
    })
    // The token of a v2 pair and those of a position are no arguments.
    expect(formatsOf('uniswap-v2-liquidity', 'removeLiquidity')).toMatchObject({
      liquidity: 'raw',
      amountAMin: 'tokenA',
    })
    expect(formatsOf('uniswap-v3-positions', 'mint')).toMatchObject({
      'params.amount0Desired': 'params.token0',
      'params.amount1Min': 'params.token1',
    })
    expect(formatsOf('uniswap-v3-positions', 'decreaseLiquidity')).toMatchObject({
      'params.amount0Min': 'raw',
      'params.deadline': 'date',
    })
  })

  it('binds each contract once', () => {
    const bound = files.flatMap(({ context }) =>
      context.contract.deployments.map(({ chainId, address }) => `${chainId}|${address}`),
    )
    expect(new Set(bound).size).toBe(bound.length)
    const ids = files.map(({ context }) => context.$id)
    expect(ids).toContain('uniswap-v2-router+uniswap-v2-swaps+uniswap-v2-liquidity')
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('names deployments, functions and every argument of the release', () => {
    const file = fileOf('uniswap-v2-router')
    expect(file?.context.contract.deployments[0]?.chainId).toBe(1)
    const signature =
      'swapExactTokensForTokens(uint256 amountIn,uint256 amountOutMin,address[] path,address to,uint256 deadline)'
    expect(file?.display.formats[signature]?.fields).toEqual([
      {
        path: 'amountIn',
        label: 'amountIn',
        format: 'tokenAmount',
        params: { tokenPath: 'path.[0]' },
      },
      {
        path: 'amountOutMin',
        label: 'amountOutMin',
        format: 'tokenAmount',
        params: { tokenPath: 'path.[-1]' },
      },
      { path: 'path.[]', label: 'path', format: 'addressName' },
      { path: 'to', label: 'to', format: 'addressName' },
      {
        path: 'deadline',
        label: 'deadline',
        format: 'date',
        params: { encoding: 'timestamp' },
      },
    ])
  })

  it('of an adapter without a deployment is left out', () => {
    expect(fileOf('erc20-allowance')).toBeUndefined()
  })
})
