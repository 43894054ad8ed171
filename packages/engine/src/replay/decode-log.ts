import type { EventPlace, PoolEvent, SwapEvent } from './events.ts'

/** A log as a node returns it. */
export interface RawLog {
  /** 32-byte words in hex with 0x, the first names the event. */
  readonly topics: readonly string[]
  /** Hex with 0x. */
  readonly data: string
}

/**
 * Reads the 32-byte word at a position of a log as a number with the given bits.
 *
 * @throws LogDecodeError if the word exceeds its type: no contract logs such a word
 */
interface Words {
  signed(position: number, bits?: number): bigint
  unsigned(position: number, bits?: number): bigint
}

interface Decoder {
  topics: number
  words: number
  decode(
    place: EventPlace,
    topics: Words & { address(position: number): string },
    data: Words,
  ): PoolEvent
}

/** Event signature hash → how to read it. The hash is keccak-256 of the signature in the comment. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  // Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24)
  '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67': {
    topics: 3,
    words: 5,
    decode: (place, _topics, data) => decodeClmmSwap(place, data),
  },
  // PancakeSwap v3 appends the protocol fees: Swap(…,uint128,uint128)
  '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83': {
    topics: 3,
    words: 7,
    decode: (place, _topics, data) => ({
      ...decodeClmmSwap(place, data),
      protocolFee: data.unsigned(5, 128) + data.unsigned(6, 128),
    }),
  },
  // Mint(address,address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256)
  '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde': {
    topics: 4,
    words: 4,
    decode: (place, topics, data) => ({
      type: 'Mint',
      ...place,
      owner: topics.address(1),
      tickLower: Number(topics.signed(2, 24)),
      tickUpper: Number(topics.signed(3, 24)),
      liquidity: data.unsigned(1, 128),
      amount0: data.unsigned(2),
      amount1: data.unsigned(3),
    }),
  },
  // Burn(address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256)
  '0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c': {
    topics: 4,
    words: 3,
    decode: (place, topics, data) => ({
      type: 'Burn',
      ...place,
      owner: topics.address(1),
      tickLower: Number(topics.signed(2, 24)),
      tickUpper: Number(topics.signed(3, 24)),
      liquidity: data.unsigned(0, 128),
      amount0: data.unsigned(1),
      amount1: data.unsigned(2),
    }),
  },
  // Collect(address indexed,address,int24 indexed,int24 indexed,uint128,uint128)
  '0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0': {
    topics: 4,
    words: 3,
    decode: (place, topics, data) => ({
      type: 'Collect',
      ...place,
      owner: topics.address(1),
      tickLower: Number(topics.signed(2, 24)),
      tickUpper: Number(topics.signed(3, 24)),
      amount0: data.unsigned(1, 128),
      amount1: data.unsigned(2, 128),
    }),
  },
  // Flash(address indexed,address indexed,uint256,uint256,uint256,uint256)
  '0xbdbdb71d7860376ba52b25a5028beea23581364a40522f6bcfb86bb1f2dca633': {
    topics: 3,
    words: 4,
    decode: (place, _topics, data) => ({
      type: 'Flash',
      ...place,
      amount0: data.unsigned(0),
      amount1: data.unsigned(1),
      paid0: data.unsigned(2),
      paid1: data.unsigned(3),
    }),
  },
  // Initialize(uint160,int24)
  '0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95': {
    topics: 1,
    words: 2,
    decode: (place, _topics, data) => ({
      type: 'Initialize',
      ...place,
      sqrtPriceX96: data.unsigned(0, 160),
      tick: Number(data.signed(1, 24)),
    }),
  },
  // SetFeeProtocol(uint8,uint8,uint8,uint8): old and new share per token
  '0x973d8d92bb299f4af6ce49b52a8adb85ae46b9f214c4c4fc06ac77401237b133': {
    topics: 1,
    words: 4,
    decode: (place, _topics, data) => ({
      type: 'SetFeeProtocol',
      ...place,
      feeProtocol0Old: Number(data.unsigned(0, 8)),
      feeProtocol1Old: Number(data.unsigned(1, 8)),
      feeProtocol0: Number(data.unsigned(2, 8)),
      feeProtocol1: Number(data.unsigned(3, 8)),
    }),
  },
  // PancakeSwap v3 stores its shares in ten thousandths:
  // SetFeeProtocol(uint32,uint32,uint32,uint32)
  '0xb3159fed3ddfba67bae294599eafe2d0ec98c08bb38e0e5fb87d33154b6e05aa': {
    topics: 1,
    words: 4,
    decode: (place, _topics, data) => ({
      type: 'SetFeeProtocol',
      ...place,
      feeProtocol0: Number(data.unsigned(2, 32)),
      feeProtocol1: Number(data.unsigned(3, 32)),
    }),
  },
  // CollectProtocol(address indexed,address indexed,uint128,uint128)
  '0x596b573906218d3411850b26a6b437d6c4522fdb43d2d2386263f86d50b8b151': {
    topics: 3,
    words: 2,
    decode: (place, _topics, data) => ({
      type: 'CollectProtocol',
      ...place,
      amount0: data.unsigned(0, 128),
      amount1: data.unsigned(1, 128),
    }),
  },
  // IncreaseObservationCardinalityNext(uint16,uint16): old and new
  '0xac49e518f90a358f652e4400164f05a5d8f7e35e7747279bc3a93dbf584e125a': {
    topics: 1,
    words: 2,
    decode: (place, _topics, data) => ({
      type: 'IncreaseObservationCardinalityNext',
      ...place,
      observationCardinalityNext: Number(data.unsigned(1, 16)),
    }),
  },
  // Swap(address indexed,uint256,uint256,uint256,uint256,address indexed) of a v2 pair
  '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822': {
    topics: 3,
    words: 4,
    decode: (place, _topics, data) => ({
      type: 'Swap',
      ...place,
      amount0In: data.unsigned(0),
      amount1In: data.unsigned(1),
      amount0Out: data.unsigned(2),
      amount1Out: data.unsigned(3),
    }),
  },
  // Sync(uint112,uint112)
  '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1': {
    topics: 1,
    words: 2,
    decode: (place, _topics, data) => ({
      type: 'Sync',
      ...place,
      reserve0: data.unsigned(0, 112),
      reserve1: data.unsigned(1, 112),
    }),
  },
  // Mint(address indexed,uint256,uint256) of a v2 pair
  '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f': {
    topics: 2,
    words: 2,
    decode: (place, _topics, data) => ({
      type: 'Mint',
      ...place,
      amount0: data.unsigned(0),
      amount1: data.unsigned(1),
    }),
  },
  // Burn(address indexed,uint256,uint256,address indexed) of a v2 pair
  '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496': {
    topics: 3,
    words: 2,
    decode: (place, _topics, data) => ({
      type: 'Burn',
      ...place,
      amount0: data.unsigned(0),
      amount1: data.unsigned(1),
    }),
  },
}

/** Why a log of a known event could not be read. */
export class LogDecodeError extends Error {
  constructor(what: string) {
    super(`a log with ${what}`)
    this.name = 'LogDecodeError'
  }
}

/**
 * Decodes a log of a v3 pool or v2 pair.
 *
 * @returns null for a log of any other event
 * @throws LogDecodeError if the log does not have the shape of its event
 */
export function decodeLog(log: RawLog, place: EventPlace): PoolEvent | null {
  const decoder = DECODERS[(log.topics[0] ?? '').toLowerCase()]
  if (decoder === undefined) return null
  const data = /^0x/i.test(log.data) ? log.data.slice(2) : log.data
  const [length, expected] = [data.length / 2, decoder.words * 32]
  if (length !== expected) {
    throw new LogDecodeError(`${length} bytes of data; expected ${expected} for this event`)
  }
  if (log.topics.length !== decoder.topics) {
    throw new LogDecodeError(
      `${log.topics.length} topics; expected ${decoder.topics} for this event`,
    )
  }
  const topicText = log.topics.map((topic) => topic.slice(2).padStart(64, '0')).join('')
  const topics = {
    ...wordsOf(topicText),
    address: (position: number) => addressAt(topicText, position),
  }
  return decoder.decode(place, topics, wordsOf(data))
}

function decodeClmmSwap(place: EventPlace, data: Words): SwapEvent {
  return {
    type: 'Swap',
    ...place,
    amount0: data.signed(0),
    amount1: data.signed(1),
    sqrtPriceX96: data.unsigned(2, 160),
    liquidity: data.unsigned(3, 128),
    tick: Number(data.signed(4, 24)),
  }
}

function wordsOf(hex: string): Words {
  const wordAt = (position: number) => hex.slice(position * 64, position * 64 + 64)
  const assertFits = (position: number, bits: number, word: bigint, value: bigint) => {
    if (word === value) return value
    throw new LogDecodeError(`word ${position} above ${bits} bits: 0x${wordAt(position)}`)
  }
  return {
    unsigned(position, bits = 256) {
      const word = BigInt(`0x${wordAt(position)}`)
      return assertFits(position, bits, word, BigInt.asUintN(bits, word))
    },
    signed(position, bits = 256) {
      const word = BigInt.asIntN(256, BigInt(`0x${wordAt(position)}`))
      return assertFits(position, bits, word, BigInt.asIntN(bits, word))
    },
  }
}

/** The last 20 bytes of a word, as lower-case hex. */
function addressAt(hex: string, position: number): string {
  return `0x${hex.slice(position * 64 + 24, position * 64 + 64).toLowerCase()}`
}
