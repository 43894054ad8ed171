import {
  safeExecutionData,
  safeTransactionHash,
  signSafeTransaction,
  testMnemonic,
} from '@liquidity-os/localchain'
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseEventLogs,
  publicActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/**
 * On the demo's chain: a Safe holds a position of a pool of 1 %, and moves it by packets that people agreed to.
 *
 *     node docs/examples/agreed-migration.ts <rpcUrl> mint <safe> <base> <quote>   prints the pool and the position
 *     node docs/examples/agreed-migration.ts <rpcUrl> carry <safe> <plan> <packet> carries the plan out, step by step, through
 *                                                                                 the API: what it needs is in API, ORGANIZATION,
 *                                                                                 COOKIE and ORIGIN
 */
const [rpcUrl = '', command = '', safe = '', ...rest] = process.argv.slice(2)
const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
const manager: Address = '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707'
const one = 10n ** 18n
const abi = parseAbi([
  'function deposit() payable',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'function factory() view returns (address)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 index, uint16 cardinality, uint16 cardinalityNext, uint8 feeProtocol, bool unlocked)',
  'event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
])
// Accounts of this chain are unlocked, which viem's types do not know.
const request = client.request as (call: object) => Promise<unknown>

async function send(to: Address, data: Hex, value = 0n) {
  const [from] = (await request({ method: 'eth_accounts', params: [] })) as Address[]
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(8_000_000) }
  const hash = (await request({ method: 'eth_sendTransaction', params: [call] })) as Hex
  return client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}

async function mint(base: Address, quote: Address): Promise<void> {
  const [token0, token1] = BigInt(base) < BigInt(quote) ? [base, quote] : [quote, base]
  await send(quote, encodeFunctionData({ abi, functionName: 'deposit' }), 10n * one)
  const args = [manager, 2n ** 200n] as const
  const allow = encodeFunctionData({ abi, functionName: 'approve', args })
  for (const token of [token0, token1]) await send(token, allow)
  const factory = await client.readContract({ address: manager, abi, functionName: 'factory' })
  const poolOf = (fee: number) => {
    const args = [token0, token1, fee] as const
    return client.readContract({ address: factory, abi, functionName: 'getPool', args })
  }
  // It begins at the price of the market that is there.
  const [sqrtPriceX96] = await client.readContract({
    address: await poolOf(3000),
    abi,
    functionName: 'slot0',
  })
  const pool = [token0, token1, 10_000, sqrtPriceX96] as const
  const create = { abi, functionName: 'createAndInitializePoolIfNecessary', args: pool } as const
  await send(manager, encodeFunctionData(create))
  const terms = {
    token0,
    token1,
    fee: 10_000,
    tickLower: -887_200,
    tickUpper: 887_200,
    amount0Desired: 100n * one,
    amount1Desired: 100n * one,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: safe as Address,
    deadline: 4_102_444_800n,
  }
  const minted = await send(
    manager,
    encodeFunctionData({ abi, functionName: 'mint', args: [terms] }),
  )
  const [added] = parseEventLogs({ abi, logs: minted.logs, eventName: 'IncreaseLiquidity' })
  await client.mine({ blocks: 4 })
  process.stdout.write(`${await poolOf(10_000)} ${added!.args.tokenId}\n`)
}

interface Answer {
  readonly data: Record<string, unknown> & { resourceVersion: string; payload: never }
  readonly error?: { code: string; fieldErrors?: unknown }
}

let requestCount = 0
async function ask(path: string, ifMatch?: string, body?: object): Promise<Answer['data']> {
  const { API = '', ORGANIZATION = '', COOKIE = '', ORIGIN = '' } = process.env
  requestCount += 1
  const answer = await fetch(`${API}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      cookie: COOKIE,
      origin: ORIGIN,
      'content-type': 'application/json',
      'x-service-organization-id': ORGANIZATION,
      'idempotency-key': `carry-${process.pid}-${requestCount}`,
      ...(ifMatch ? { 'if-match': `"${ifMatch}"` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { data, error } = (await answer.json()) as Answer
  if (error) throw new Error(`${path}: ${error.code} ${JSON.stringify(error.fieldErrors)}`)
  return data
}

interface Packet {
  readonly safeTx: { to: Address; value: string; data: Hex; operation: 0 | 1 }
  readonly hashes: { nonce: string; safeTxHash: string }
}
interface Step {
  readonly step: number
  readonly kind: string
  readonly calls: readonly object[]
}

async function carry([planId = '', proposalId = '']: string[]): Promise<void> {
  const move = async (transition: string, more: object = {}) => {
    const { resourceVersion } = await ask(`/migration-plans/${planId}`)
    const payload = { transition, resourceVersion, ...more }
    await ask(`/migration-plans/${planId}/transitions`, undefined, { payload, reason: 'As agreed' })
  }
  const { steps } = (await ask(`/migration-plans/${planId}`)).payload as { steps: Step[] }
  const { packets } = (await ask(`/proposals/${proposalId}`)).payload as { packets: Packet[] }
  const left = [...packets]
  for (const { step, kind, calls } of steps) {
    const packet = calls.length > 0 ? left.shift() : undefined
    if (packet) {
      const { nonce, safeTxHash } = packet.hashes
      await move('STEP_SUBMITTED', { step, safeTxHash, nonce })
      const transactionHash = await executed(packet)
      const { resourceVersion } = await ask(`/proposals/${proposalId}`)
      const reason = 'The owners have executed it'
      await ask(`/proposals/${proposalId}/safe-submissions`, resourceVersion, {
        transactionHash,
        reason,
      })
      await move('STEP_CONFIRMED', { step, txHash: transactionHash })
    }
    await move('STEP_VERIFIED', { step })
    process.stdout.write(`${step} ${kind}\n`)
  }
  await move('COMPLETE')
}

/** What two owners sign, with keys of their own, if it is what the packet says; whoever sends it decides nothing. */
async function executed({ safeTx, hashes }: Packet): Promise<Hex> {
  const account = safe as Address
  const chainId = await client.getChainId()
  const { value, ...call } = safeTx
  const transaction = { ...call, value: BigInt(value), nonce: BigInt(hashes.nonce) }
  const hash = safeTransactionHash(chainId, account, transaction)
  if (hash !== hashes.safeTxHash) throw new Error(`It has the hash ${hash}.`)
  const owners = [1, 2].map((addressIndex) => mnemonicToAccount(testMnemonic, { addressIndex }))
  const signatures = await signSafeTransaction(chainId, account, transaction, owners)
  const { transactionHash } = await send(account, safeExecutionData(transaction, signatures))
  // What was read is final two blocks later on this chain.
  await client.mine({ blocks: 3 })
  return transactionHash
}

if (command === 'mint') await mint(rest[0] as Address, rest[1] as Address)
else if (command === 'carry') await carry(rest)
else throw new Error('Say mint or carry.')
