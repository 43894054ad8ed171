import {
  type contract,
  type FieldErrors,
  marketPageHosts,
  parseMarketPage,
} from '@liquidity-os/contract'
import { type Address, getAddress } from 'viem'
import { normalizeAddress } from '../../../http/address.ts'
import { catalogue } from './catalogue/catalogue.ts'

/** A requested token. A null chain means all chains. */
export interface Identified {
  readonly chainId: number | null
  readonly address: Address
}

export type Identification =
  | { readonly token: Identified; readonly faults: null }
  | { readonly token: null; readonly faults: FieldErrors }

const forms = 'must be exactly one of { chainId, address }, { marketId } and { query }'

/**
 * Parses a token identifier without requests.
 *
 * @param prefix of field names: the identifier can be a field of the body
 * @param discovered the token of `marketId`, if it is outside the catalog
 */
export function identify(
  identifier: contract.PublicIdentifier,
  prefix = '',
  discovered: Identified | null = null,
): Identification {
  const { chainId, address, marketId, query } = identifier
  const given = Object.keys(identifier).sort().join(',')
  const refuse = (field: string, message: string): Identification => ({
    token: null,
    faults: { [(prefix + field).replace(/\.$/, '') || '(body)']: [message] },
  })
  if (given === 'address,chainId' && chainId !== undefined && address !== undefined) {
    return { token: { chainId, address: getAddress(address) }, faults: null }
  }
  if (given === 'marketId' && marketId !== undefined) {
    const listed = catalogue().byId.get(marketId) ?? discovered
    if (listed) return { token: listed, faults: null }
    return refuse(
      'marketId',
      `must be the number of a token in the catalog or of a search result, got ${marketId}`,
    )
  }
  if (given === 'query' && query !== undefined) {
    const token = tokenIn(query.trim())
    if (token) return { token, faults: null }
    const expected = `an address, eip155:<chain>/erc20:0x…, or the URL of a token or pool at ${marketPageHosts.join(', ')}`
    return refuse('query', `must be ${expected}, got ${JSON.stringify(query).slice(0, 80)}`)
  }
  if (given === 'address') return refuse('chainId', 'is required with address')
  if (given === 'chainId') return refuse('address', 'is required with chainId')
  const members = given === '' ? 'nothing' : given.replaceAll(',', ', ')
  return refuse('', `${forms}, got ${members}`)
}

function tokenIn(query: string): Identified | null {
  const plain = addressIn(query)
  if (plain) return { chainId: null, address: plain }
  const key = /^eip155:([1-9][0-9]{0,15})\/erc20:(0x[0-9a-fA-F]{40})$/.exec(query)
  if (key) {
    const chainId = Number(key[1])
    const address = addressIn(key[2], chainId)
    return address && Number.isSafeInteger(chainId) ? { chainId, address } : null
  }
  const page = parseMarketPage(query)
  const address = page && addressIn(page.address, page.chainId)
  return address ? { chainId: page.chainId, address } : null
}

/** A single-case address, or one with a valid checksum. */
function addressIn(text: string | undefined, chainId?: number): Address | null {
  return text !== undefined && /^0x[0-9a-fA-F]{40}$/.test(text)
    ? (normalizeAddress(text, chainId) as Address | null)
    : null
}
