import type { GrammarContext } from './grammar-types.ts'
import { printNumber } from './numbers.ts'
import type { PolicyTerms } from './terms.ts'

/**
 * Prints limits as grammar sentences. A single price bound takes two sentences. The text states the enforced limits, and the grammar
 * parses it back to the same limits.
 *
 * @param context names the quote by its symbol if unique, else by its address
 */
export function restateTerms(
  terms: PolicyTerms,
  { base, quote, symbols }: Pick<GrammarContext, 'base' | 'quote' | 'symbols'>,
): string[] {
  const symbol = [...symbols].find(
    ([name, named]) => named.length === 1 && named[0] === quote.address && isWord(name),
  )?.[0]
  const unit = symbol ?? quote.address
  const money = (atoms: bigint) => `${printNumber(atoms, quote.decimals)} ${unit}`
  const price = (x18: bigint) => `${printNumber(x18, quote.decimals + 18 - base.decimals)} ${unit}`
  const set = (kind: string, items: readonly string[]) =>
    items.length === 0 ? `no ${kind}s` : `only ${kind}s ${items.join(', ')}`
  return [
    `level ${terms.level}`,
    `at most ${money(terms.maximumAmountPerTransaction)} per transaction`,
    `daily turnover at most ${money(terms.maximumDailyTurnover)}`,
    `slippage at most ${terms.maximumSlippagePips} pips`,
    set('contract', terms.approvedContracts),
    set('asset', terms.approvedAssets),
    set('adapter', terms.approvedAdapterIds),
    `wait at least ${terms.minimumSecondsBetweenActions} seconds between actions`,
    `oracle age at most ${terms.oracleMaximumAgeSeconds} seconds`,
    `expires ${terms.expiresAt}`,
    terms.publicMempoolFallbackAllowed ? 'public mempool fallback allowed' : 'never public mempool',
    ...priceSentences(terms, price),
  ]
}

/** A symbol that the grammar reads as one word, and not as a scale of the number before it. */
const isWord = (name: string) => /^[^\s;#]+$/.test(name) && !/\.$/.test(name)

function priceSentences(
  { minimumPriceX18: least, maximumPriceX18: most }: PolicyTerms,
  price: (x18: bigint) => string,
): string[] {
  if (least !== null && most !== null) return [`price between ${price(least)} and ${price(most)}`]
  if (least !== null) return [`price at least ${price(least)}`, 'no maximum price']
  return most === null ? ['no price limit'] : [`price at most ${price(most)}`, 'no minimum price']
}
