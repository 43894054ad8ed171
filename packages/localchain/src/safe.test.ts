import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createSafe,
  delegateDigest,
  erc20Abi,
  type Localchain,
  multiSendData,
  type SafeTransaction,
  safeAbi,
  safeExecutionData,
  safeTransactionHash,
  signSafeTransaction,
  startLocalchain,
} from './index.ts'

let chain: Localchain
beforeAll(async () => {
  chain = await startLocalchain()
})
afterAll(() => chain.stop())

async function fundedSafe(): Promise<{ safe: Address; token: Address; payment: SafeTransaction }> {
  const owners = chain.accounts.slice(1, 4).map(({ address }) => address)
  const saltNonce = await chain.publicClient.getBlockNumber()
  const safe = await createSafe(chain, { owners, threshold: 2, saltNonce })
  const token = await chain.deployToken({ name: 'Token', symbol: 'T', supply: 100n }, safe)
  const pay = (amount: bigint): Hex =>
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [chain.accounts[9]!.address, amount],
    })
  const data = multiSendData([
    { to: token, data: pay(5n) },
    { to: token, data: pay(7n) },
  ])
  const to = chain.contracts.multiSendCallOnly
  return { safe, token, payment: { to, value: 0n, data, operation: 1, nonce: 0n } }
}

async function execute(safe: Address, payment: SafeTransaction, signers: readonly LocalAccount[]) {
  const signatures = await signSafeTransaction(chain.chainId, safe, payment, signers)
  const data = safeExecutionData(payment, signatures)
  return chain.send({ from: chain.accounts[8]!.address, to: safe, data })
}

describe('a Safe of two out of three', () => {
  it('executes a batch that two owners signed', async () => {
    const { safe, token, payment } = await fundedSafe()
    const mined = await execute(safe, payment, [chain.accounts[3]!, chain.accounts[1]!])
    const [success] = parseEventLogs({
      abi: safeAbi,
      logs: [...mined.logs],
      eventName: 'ExecutionSuccess',
    })
    expect(success?.args.txHash).toBe(safeTransactionHash(chain.chainId, safe, payment))
    const remaining = await chain.publicClient.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [safe],
    })
    expect(remaining).toBe(88n)
  })

  it('refuses one signature with GS020', async () => {
    const { safe, payment } = await fundedSafe()
    await expect(execute(safe, payment, [chain.accounts[1]!])).rejects.toMatchObject({
      reason: 'GS020',
    })
  })

  it('computes the hash that the contract computes', async () => {
    const { safe, payment } = await fundedSafe()
    const { to, value, data, operation, nonce } = payment
    const zero = '0x0000000000000000000000000000000000000000'
    const onChain = await chain.publicClient.readContract({
      address: safe,
      abi: safeAbi,
      functionName: 'getTransactionHash',
      args: [to, value, data, operation, 0n, 0n, 0n, zero, zero, nonce],
    })
    expect(safeTransactionHash(chain.chainId, safe, payment)).toBe(onChain)
  })
})

it('has the digest of a delegate for the Safe Transaction Service', () => {
  const delegate = '0x2222222222222222222222222222222222222222'
  expect(delegateDigest(1, delegate, 472_222 * 3600)).toBe(
    '0x5eefae7436d4656bf69858f05fbb2cb3748077b60bcd5b25e56527d33ec6c5f6',
  )
})
