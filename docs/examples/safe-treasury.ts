import {
  type Address,
  concatHex,
  createTestClient,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hashTypedData,
  http,
  numberToHex,
  parseAbi,
  publicActions,
  zeroAddress,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/**
 * On the demo's chain: the treasury of an issuer is a Safe of two out of three.
 *
 *     node docs/examples/safe-treasury.ts <rpcUrl> make <token> <atoms>          creates it, funds it, prints its address
 *     node docs/examples/safe-treasury.ts <rpcUrl> pay <token> <safe> <atoms>…   pays; prints transaction and log of each
 *     node docs/examples/safe-treasury.ts <rpcUrl> execute <safe> <packet>       executes a packet, given as JSON { safeTx, hashes },
 *                                                                                if its hash is the one that it says; prints the transaction
 */
const [rpcUrl = '', command = '', ...rest] = process.argv.slice(2)
const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
const accounts = Array.from({ length: 6 }, (_, addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex,
  }),
)
const [deployer, first, second, third, receiver] = accounts
/** The demo deploys its contracts in a fixed order. */
const deployed = (nonce: bigint) => getContractAddress({ from: deployer!.address, nonce })
const [singleton, factory, handler] = [deployed(7n), deployed(8n), deployed(11n)]
const abi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function nonce() view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function deposit() payable',
])

async function send(from: Address, to: Address, data: Hex, value = 0n) {
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(2_000_000) }
  // Accounts of this chain are unlocked, which viem's types do not know.
  const request = client.request as (call: object) => Promise<unknown>
  const hash = (await request({ method: 'eth_sendTransaction', params: [call] })) as Hex
  return client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}

async function make([token, atoms = '0']: string[]): Promise<void> {
  const owners = [first, second, third].map((one) => one!.address)
  const setup = encodeFunctionData({
    abi,
    functionName: 'setup',
    args: [owners, 2n, zeroAddress, '0x', handler, zeroAddress, 0n, zeroAddress],
  })
  const args = [singleton, setup, BigInt(Date.now())] as const
  const data = encodeFunctionData({ abi, functionName: 'createProxyWithNonce', args })
  const { logs } = await send(deployer!.address, factory, data)
  const created = logs.find(({ address }) => address.toLowerCase() === factory.toLowerCase())
  const safe: Address = `0x${created!.topics[1]!.slice(26)}`
  const deposit = encodeFunctionData({ abi, functionName: 'deposit' })
  await send(deployer!.address, token as Address, deposit, BigInt(atoms))
  const fund = { abi, functionName: 'transfer', args: [safe, BigInt(atoms)] } as const
  await send(deployer!.address, token as Address, encodeFunctionData(fund))
  process.stdout.write(`${safe}\n`)
}

async function pay([token, safe, ...amounts]: string[]): Promise<void> {
  const account = safe as Address
  for (const atoms of amounts) {
    const nonce = await client.readContract({ address: account, abi, functionName: 'nonce' })
    const args = [receiver!.address, BigInt(atoms)] as const
    const data = encodeFunctionData({ abi, functionName: 'transfer', args })
    const { logs, transactionHash } = await execute(account, token as Address, data, nonce)
    const log = logs.find(({ address }) => address.toLowerCase() === token!.toLowerCase())
    process.stdout.write(`${transactionHash} ${log!.logIndex}\n`)
  }
}

interface Packet {
  readonly safeTx: { to: Address; value: string; data: Hex; operation: 0 | 1 }
  readonly hashes: { nonce: string; safeTxHash: Hex }
}

async function executePacket([safe, packet = '']: string[]): Promise<void> {
  const { safeTx, hashes } = JSON.parse(packet) as Packet
  const { to, data, operation } = safeTx
  const done = await execute(safe as Address, to, data, BigInt(hashes.nonce), {
    operation,
    value: BigInt(safeTx.value),
    expected: hashes.safeTxHash,
  })
  process.stdout.write(`${done.transactionHash}\n`)
}

interface Terms {
  readonly operation: 0 | 1
  readonly value: bigint
  /** What the owners were shown; they sign nothing else. */
  readonly expected?: Hex
}

/** What two owners signed; who sends it pays the gas and decides nothing. */
async function execute(
  safe: Address,
  to: Address,
  data: Hex,
  nonce: bigint,
  { operation, value, expected }: Terms = { operation: 0, value: 0n },
) {
  const none = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n }
  const nobody = { gasToken: zeroAddress, refundReceiver: zeroAddress }
  const message = { to, value, data, operation, ...none, ...nobody, nonce }
  const types = [
    ...['address to', 'uint256 value', 'bytes data', 'uint8 operation', 'uint256 safeTxGas'],
    ...['uint256 baseGas', 'uint256 gasPrice', 'address gasToken', 'address refundReceiver'],
    'uint256 nonce',
  ].map((field) => ({ type: field.split(' ')[0]!, name: field.split(' ')[1]! }))
  const hash = hashTypedData({
    domain: { chainId: await client.getChainId(), verifyingContract: safe },
    types: { SafeTx: types },
    primaryType: 'SafeTx',
    message,
  })
  if (expected && hash !== expected) throw new Error(`It has the hash ${hash}, not ${expected}.`)
  const signers = [first!, second!].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  const signatures = concatHex(await Promise.all(signers.map((signer) => signer.sign({ hash }))))
  const call = encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [to, value, data, operation, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures],
  })
  return send(receiver!.address, safe, call)
}

if (command === 'make') await make(rest)
else if (command === 'pay') await pay(rest)
else if (command === 'execute') await executePacket(rest)
else throw new Error('Say make, pay or execute.')
// What was read is final two blocks later on this chain.
await client.mine({ blocks: 3 })
