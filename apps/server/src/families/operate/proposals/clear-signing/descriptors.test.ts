import { contract } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import { describeAdapters } from './descriptors.ts'

const files = describeAdapters(contract.adapters)

describe('a descriptor', () => {
  it('names deployments, functions and every argument of the release', () => {
    const file = files.find(({ context }) => context.$id === 'uniswap-v2-router')
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
    expect(files.map(({ context }) => context.$id)).not.toContain('erc20-allowance')
  })
})
