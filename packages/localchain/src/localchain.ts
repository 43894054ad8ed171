import {
  type Account,
  type Address,
  type Chain,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type HDAccount,
  type Hex,
  type HttpTransport,
  http,
  type PublicClient,
  type TestClient,
  type WalletClient,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { startAnvil } from './anvil.ts'
import { type Contracts, deploy, deployContracts } from './contracts.ts'
import { payerInitCode } from './payer.ts'
import { createV2Pair, createV3Pool, type Market, type V3PoolTerms } from './pools.ts'
import { type TokenOptions, tokenInitCode } from './token.ts'
import { type Send, sender } from './transactions.ts'

export type LocalchainOptions = {
  /** Default 31337. */
  readonly chainId?: number
  /** Seconds since 1970 of the genesis block, default 2026-01-01T00:00:00Z. */
  readonly timestamp?: number
  /** Seconds between two blocks, default 12. Blocks are mined on demand, one per transaction. */
  readonly blockSeconds?: number
  /** Gas units per block, default 30 million. */
  readonly gasLimit?: number
  /** Port on the loopback interface. Default 0, a free port. */
  readonly port?: number
}

/** A running chain with the genuine contracts deployed. */
export type Localchain = {
  readonly rpcUrl: string
  readonly chainId: number
  /** Seconds between two blocks. */
  readonly blockSeconds: number
  /** Ten funded accounts of the well-known test mnemonic; the first deployed everything. */
  readonly accounts: readonly HDAccount[]
  readonly contracts: Contracts
  readonly publicClient: PublicClient<HttpTransport, Chain>
  readonly walletClient: WalletClient<HttpTransport, Chain, Account>
  readonly testClient: TestClient<'anvil', HttpTransport, Chain>
  /** Sends from any of the accounts and waits for the block. */
  readonly send: Send
  /** Deploys init code from the first account. */
  deploy(initCode: Hex): Promise<Address>
  /** Deploys OpenZeppelin's ERC-20; the first account, or `holder`, gets the whole supply. */
  deployToken(token: TokenOptions, holder?: Address): Promise<Address>
  /** Deploys another payer, so that several owners can hold positions. */
  deployPayer(): Promise<Address>
  createV3Pool(terms: V3PoolTerms): Promise<Market>
  createV2Pair(tokenA: Address, tokenB: Address): Promise<Market>
  /** Mines empty blocks, default one. */
  mine(blocks?: number): Promise<void>
  /** From now on, block times follow the clock, at least one second after the previous block. */
  followClock(): Promise<void>
  /** Ends the chain and waits until it is gone. Without it, the chain ends with this process. */
  stop(): Promise<void>
}

/** The mnemonic every Ethereum tool uses for tests; its keys are public. */
export const testMnemonic = 'test test test test test test test test test test test junk'

/** Genesis time when none is given, seconds since 1970. */
export const defaultTimestamp = 1_767_225_600

/**
 * Starts anvil and deploys Uniswap v2 and v3, WETH9 and Safe 1.4.1 from their published builds.
 *
 * Block times advance by a fixed step instead of the clock. So the same calls give the same chain:
 * addresses, timestamps and block hashes.
 *
 * @throws AnvilStartError if anvil does not start
 */
export async function startLocalchain(options: LocalchainOptions = {}): Promise<Localchain> {
  const { chainId = 31337, timestamp = defaultTimestamp, blockSeconds = 12 } = options
  const { gasLimit = 30_000_000, port = 0 } = options
  const anvil = await startAnvil({ chainId, timestamp, gasLimit, port, mnemonic: testMnemonic })
  const accounts = Array.from({ length: 10 }, (_, addressIndex) =>
    mnemonicToAccount(testMnemonic, { addressIndex }),
  )
  const deployer = accounts[0]!
  const clients = connect(anvil.rpcUrl, chainId, deployer)
  await clients.testClient.setBlockTimestampInterval({ interval: blockSeconds })
  const send = sender(clients.publicClient)
  const contracts = await deployContracts(send, deployer.address)
  const put = (initCode: Hex): Promise<Address> => deploy(send, deployer.address, initCode)
  const market = { send, from: deployer.address, contracts, client: clients.publicClient }
  return {
    rpcUrl: anvil.rpcUrl,
    chainId,
    blockSeconds,
    accounts,
    contracts,
    ...clients,
    send,
    deploy: put,
    deployToken: (token, holder = deployer.address) => put(tokenInitCode(token, holder)),
    deployPayer: () => put(payerInitCode),
    createV3Pool: (terms) => createV3Pool(market, terms),
    createV2Pair: (tokenA, tokenB) => createV2Pair(market, tokenA, tokenB),
    mine: (blocks = 1) => clients.testClient.mine({ blocks }),
    followClock: () => followClock(clients.testClient),
    stop: anvil.stop,
  }
}

async function followClock(client: Localchain['testClient']): Promise<void> {
  await client.removeBlockTimestampInterval()
  // viem has no method for it. The chain's own clock then continues from this second.
  const request = client.request as (call: {
    method: string
    params: unknown[]
  }) => Promise<unknown>
  await request({ method: 'evm_setTime', params: [Math.floor(Date.now() / 1000)] })
}

function connect(rpcUrl: string, chainId: number, account: HDAccount) {
  const chain = defineChain({
    id: chainId,
    name: 'localchain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  // Other processes load the machine, so a slow response must not count as a failure.
  const transport = http(rpcUrl, { retryCount: 0, timeout: 60_000 })
  const shared = { chain, transport, cacheTime: 0, pollingInterval: 20 }
  return {
    publicClient: createPublicClient(shared),
    walletClient: createWalletClient({ ...shared, account }),
    testClient: createTestClient({ ...shared, mode: 'anvil' }),
  }
}
