import { hashTypedData } from 'viem'
import { expect, it } from 'vitest'
import { type BrowserWallet, safeTypedData, signInWallet, walletProblem } from './browser-wallet.ts'
import { safeHashes } from './safe-hash.ts'

const safe = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const zero = '0x0000000000000000000000000000000000000000'
const call = {
  to: '0xC9A3549C3cb5c8897aB1f3f602F41936808702f0',
  value: '12',
  operation: 1,
  data: '0xa4053020',
  safeTxGas: '0',
  baseGas: '0',
  gasPrice: '0',
  gasToken: zero,
  refundReceiver: zero,
}

it('gives the wallet the transaction whose hash the page shows', () => {
  const typedData = safeTypedData(31_337, safe, call, '7')
  expect(hashTypedData(typedData as unknown as Parameters<typeof hashTypedData>[0])).toBe(
    safeHashes(31_337, safe, call, '7').safeTxHash,
  )
})

it('returns the account and the signature of the wallet', async () => {
  const methods: string[] = []
  const wallet: BrowserWallet = {
    request: ({ method }) => {
      methods.push(method)
      return Promise.resolve(method === 'eth_requestAccounts' ? ['0xowner'] : '0xsignature')
    },
  }
  const typedData = safeTypedData(1, safe, call, '0')
  expect(await signInWallet(wallet, typedData)).toEqual({
    owner: '0xowner',
    signature: '0xsignature',
  })
  expect(methods).toEqual([
    'eth_requestAccounts',
    'wallet_switchEthereumChain',
    'eth_signTypedData_v4',
  ])
})

it('states that a wallet shared no account', async () => {
  const wallet: BrowserWallet = { request: () => Promise.resolve([]) }
  await expect(signInWallet(wallet, safeTypedData(1, safe, call, '0'))).rejects.toThrow(
    'The wallet shared no account.',
  )
})

it('states why a wallet did not sign', () => {
  expect(walletProblem({ code: 4001, message: 'User rejected.' })).toBe(
    'You rejected the request in the wallet.',
  )
  expect(walletProblem({ code: 4902 })).toContain('does not know the chain')
  expect(walletProblem(new Error('The wallet shared no account.'))).toBe(
    'The wallet shared no account.',
  )
  expect(walletProblem(null)).toBe('The wallet did not complete the request.')
})
