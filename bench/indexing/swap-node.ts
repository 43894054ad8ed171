import { createServer, type IncomingMessage } from 'node:http'
import { type Hex, toEventSelector } from 'viem'
import {
  blockOf,
  bornAt,
  range,
  secondsPerBlock,
  swapBytes,
  swapStream,
  swapsPerBlock,
  wordOf,
} from './swap-stream.ts'

/**
 * A node that has a pool with as many swaps as it is told, and answers what an index job asks: headers, logs,
 * transactions. It has no state, like a node that is no archive. Hashes name numbers; nothing signs them.
 */
interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

const swaps = Number(process.argv[2])
const stream = swapStream(swaps)
const head = blockOf(swaps - 1) + 1
const address = '0x92560C178cE069CC014138eD3C2F5221Ba71f58a'
const payer = `0x${'5'.padStart(40, '0')}`
const topics = {
  initialize: toEventSelector('Initialize(uint160,int24)'),
  mint: toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)'),
  swap: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
}

const hex = (value: number) => `0x${value.toString(16)}`
const hashOf = (kind: string, value: number) => `0x${kind}${value.toString(16).padStart(62, '0')}`
const word = (value: bigint) => `0x${wordOf(value)}`

function header(number: number): object | null {
  if (number > head) return null
  return {
    number: hex(number),
    timestamp: hex(bornAt + secondsPerBlock * number),
    hash: hashOf('b1', number),
    parentHash: hashOf('b1', Math.max(0, number - 1)),
    stateRoot: hashOf('00', 0),
  }
}

function log(block: number, logIndex: number, transaction: number, content: object): object {
  return {
    address,
    blockNumber: hex(block),
    blockHash: hashOf('b1', block),
    logIndex: hex(logIndex),
    transactionHash: hashOf('c1', transaction),
    removed: false,
    ...content,
  }
}

function birth(): object[] {
  const { deposit, sqrtPriceX96 } = stream
  const words = [BigInt(payer), range.liquidity, deposit.amount0, deposit.amount1]
  return [
    log(1, 0, 2 ** 40, { topics: [topics.initialize], data: word(sqrtPriceX96) + wordOf(0n) }),
    log(1, 1, 2 ** 40, {
      topics: [
        ...[topics.mint, word(BigInt(payer))],
        ...[word(BigInt(range.tickLower)), word(BigInt(range.tickUpper))],
      ],
      data: `0x${words.map(wordOf).join('')}`,
    }),
  ]
}

const swapTopics = [topics.swap, word(BigInt(payer)), word(BigInt(payer))]

function logs(fromBlock: number, toBlock: number): object[] {
  const found = fromBlock <= 1 && toBlock >= 1 ? birth() : []
  const first = Math.max(0, (fromBlock - 2) * swapsPerBlock)
  const end = Math.min(swaps, (toBlock - 1) * swapsPerBlock)
  for (let index = first; index < end; index += 1) {
    const data = stream.data.toString('hex', index * swapBytes, (index + 1) * swapBytes)
    const place = index % swapsPerBlock
    found.push(log(blockOf(index), place, index, { topics: swapTopics, data: `0x${data}` }))
  }
  return found
}

function transaction(hash: Hex): object {
  const index = Number(`0x${hash.slice(4)}`)
  const from = `0x${(1000 + (index % 997)).toString(16).padStart(40, '0')}`
  return { hash, blockHash: hashOf('b1', blockOf(index)), from }
}

function answer({ method, params }: Call): object {
  const [first] = params as [never]
  switch (method) {
    case 'eth_chainId':
      return { result: hex(31337) }
    case 'eth_getBlockByNumber':
      return { result: header(/^0x/.test(first) ? Number(first) : head) }
    case 'eth_getLogs': {
      const { fromBlock, toBlock } = first as { fromBlock: Hex; toBlock: Hex }
      return { result: logs(Number(fromBlock), Number(toBlock)) }
    }
    case 'eth_getTransactionByHash':
      return { result: transaction(first) }
    default:
      return { error: { code: -32000, message: 'missing trie node' } }
  }
}

async function read(request: IncomingMessage): Promise<Call | Call[]> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString())
}

const server = createServer(async (request, response) => {
  const requested = await read(request)
  const reply = (call: Call) => ({ jsonrpc: '2.0', id: call.id, ...answer(call) })
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(Array.isArray(requested) ? requested.map(reply) : reply(requested)))
})
server.listen(0, '127.0.0.1', () => {
  const place = server.address()
  const port = typeof place === 'object' && place ? place.port : 0
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, address })}\n`)
})
process.on('SIGTERM', () => process.exit(0))
