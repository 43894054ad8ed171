import type { contract } from '@liquidity-os/contract'
import { canonicalize, importPublicKey, verify } from '@liquidity-os/evidence'
import { instantOf } from '../../http/timestamp.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess } from '../../services.ts'
import { minuteSeconds } from '../../units.ts'
import type { FeedHost } from '../providers/provider-endpoint.ts'
import { FeedError } from './feed-error.ts'
import { askForJson, membersOf, textOfMember } from './feed-http.ts'
import { type FeedPoint, x36OfAnswer } from './feed-point.ts'

export const signedPriceTag = 'signed-price/v1'

/**
 * Current price from a signer, stored with its signature.
 *
 * @param publicKeys raw Ed25519 keys in base64; one of these must have signed
 * @throws FeedError
 */
export async function readSignedPrice(
  host: FeedHost & { readonly publicKeys: readonly string[] },
  feed: contract.SignedFeed,
  services: ProviderAccess,
  { now, signal }: { readonly now: number; readonly signal?: AbortSignal },
): Promise<FeedPoint> {
  const { base, quote } = feed
  const answer = await askForJson(host, [], { base, quote }, services, signal)
  const members = membersOf(answer, 'the answer')
  const text = (name: string) => textOfMember(members[name], name)
  const statement = {
    base: text('base'),
    quote: text('quote'),
    priceX18: text('priceX18'),
    at: text('at'),
  }
  const signature = text('signature')
  if (Object.keys(members).length !== 5)
    throw FeedError.refused('SHAPE', 'more fields than the five allowed')
  const isSigned = host.publicKeys.some((key) =>
    verify(importPublicKey(key), signedPriceTag, statement, signature),
  )
  if (!isSigned) throw FeedError.refused('SIGNATURE', 'no key in publicKeys signed it')
  if (statement.base !== base || statement.quote !== quote) {
    throw FeedError.refused('WRONG_SUBJECT', 'a price for another pair')
  }
  const at = secondsOf(statement.at)
  if (at > now + limits.feedAheadSeconds)
    throw FeedError.refused('CLOCK', 'a price dated in the future')
  if (at < now - feed.heartbeatSeconds - minuteSeconds) {
    throw FeedError.refused('STALE', 'older than the heartbeat plus 60 s')
  }
  return {
    at,
    priceX36: x36OfAnswer(wholeOf(statement.priceX18), 18, feed),
    errorPips: feed.errorPips,
    proof: canonicalize({ ...statement, signature }),
  }
}

function wholeOf(text: string): bigint {
  if (/^(0|[1-9][0-9]{0,77})$/.test(text)) return BigInt(text)
  throw FeedError.refused('SHAPE', 'priceX18 is not an integer')
}

/** Whole seconds: the only signed time format. */
function secondsOf(text: string): number {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)
  if (!isWhole || instantOf(text) === null) {
    throw FeedError.refused('SHAPE', 'at is not a time such as 2026-01-31T12:00:00Z')
  }
  return Date.parse(text) / 1000
}
