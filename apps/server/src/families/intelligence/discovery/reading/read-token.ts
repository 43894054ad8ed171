import { type Address, hexToString, parseAbi } from 'viem'
import { ChainError } from '../../../../integrations/chain/chain-error.ts'
import type { ChainClient } from '../../../../integrations/chain/client.ts'
import { answered, readContract } from '../../../../integrations/chain/contract-call.ts'
import type { Pin } from '../../../../integrations/chain/finalized.ts'
import { codeAt } from '../../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../../keccak256.ts'
import type { ReadResult, Session } from './session.ts'

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
])
/** Some tokens of 2017 return 32 bytes instead of text. */
const bytesAbi = parseAbi([
  'function name() view returns (bytes32)',
  'function symbol() view returns (bytes32)',
])

/**
 * Letters, digits, marks, punctuation and symbols of any script, and plain spaces. Excludes
 * characters that hide or reverse text.
 */
const plainName = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,80}$/u
const plainSymbol = /^[A-Za-z0-9.$+_-]{1,16}$/

export interface TokenBasics {
  readonly codeHash: ReadResult<string>
  readonly decimals: ReadResult<number>
}

/** @returns null if the address has no code or no decimals, so it is no token */
export async function readBasics(session: Session, address: Address): Promise<TokenBasics | null> {
  const [codeHash, decimals] = await Promise.all([
    session.ask(async (client, pin) => keccak256(await codeAt(client, pin, address))),
    session.ask((client, pin) =>
      readContract(client, pin, { address, abi, functionName: 'decimals' }),
    ),
  ])
  if (codeHash.value === keccak256('0x') || decimals.missing?.isOfContract) return null
  const lacking = codeHash.missing ?? decimals.missing
  if (lacking) throw essentialMissing(lacking.code)
  return { codeHash, decimals }
}

/** An address without code and decimals is an error. */
function essentialMissing(code: string): ChainError {
  if (code === 'PROVIDERS_DISAGREE') {
    return new ChainError({ code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE', reason: 'ANSWERS_DIFFER' })
  }
  const reason = code === 'DEADLINE' ? 'TIMEOUT' : 'NETWORK'
  return new ChainError({ code: 'LIQUIDITY_CHAIN_UNAVAILABLE', reason })
}

/** Name, symbol and supply of a token. Texts are null if they contain unsafe characters. */
export async function readWords(session: Session, address: Address) {
  const [name, symbol, totalSupply] = await Promise.all([
    session.ask((client, pin) => readText(client, pin, { address, name: 'name', form: plainName })),
    readSymbol(session, address),
    session.ask(async (client, pin) =>
      String(await readContract(client, pin, { address, abi, functionName: 'totalSupply' })),
    ),
  ])
  return { name, symbol, totalSupply }
}

const readSymbol = (session: Session, address: Address) =>
  session.ask((client, pin) =>
    readText(client, pin, { address, name: 'symbol', form: plainSymbol }),
  )

export interface QuoteWords {
  readonly symbol: string | null
  readonly decimals: number | null
}

export async function readQuoteWords(session: Session, address: Address): Promise<QuoteWords> {
  const [symbol, decimals] = await Promise.all([
    readSymbol(session, address),
    session.ask((client, pin) =>
      readContract(client, pin, { address, abi, functionName: 'decimals' }),
    ),
  ])
  return { symbol: symbol.value, decimals: decimals.value }
}

async function readText(
  client: ChainClient,
  pin: Pin,
  { address, name, form }: { address: Address; name: 'name' | 'symbol'; form: RegExp },
): Promise<string | null> {
  const [text, bytes] = await Promise.all([
    answered(() => readContract(client, pin, { address, abi, functionName: name })),
    answered(() => readContract(client, pin, { address, abi: bytesAbi, functionName: name })),
  ])
  const stated = text ?? (bytes === null ? null : hexToString(bytes).replace(/\0+$/, ''))
  return stated !== null && form.test(stated) ? stated : null
}
