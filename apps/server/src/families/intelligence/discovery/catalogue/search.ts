import type { Catalogue, CatalogueToken } from './catalogue.ts'

/** A token that can be searched. Providers do not always state its decimals. */
export type SearchedToken = Omit<CatalogueToken, 'decimals'> & { readonly decimals: number | null }

/** Match kinds, best first. */
export const matchKinds = [
  'ADDRESS',
  'SYMBOL',
  'SYMBOL_PREFIX',
  'NAME_PREFIX',
  'WORDS',
  'TRIGRAM',
] as const
export type MatchKind = (typeof matchKinds)[number]

export interface Match<Token extends SearchedToken = CatalogueToken> {
  readonly token: Token
  readonly matched: MatchKind
  readonly similarityPips: number
}

const minTrigramPips = 300_000
const whole = 1_000_000

/** A token in normalized form for comparison. */
interface Folded<Token extends SearchedToken = CatalogueToken> {
  readonly token: Token
  readonly symbol: string
  readonly name: string
  readonly words: ReadonlySet<string>
  readonly triples: readonly ReadonlySet<string>[]
}

const folded = new WeakMap<Catalogue, readonly Folded[]>()

/** Normalizes text for comparison: NFKC, lower case, single spaces. */
export const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ')

/**
 * Catalog tokens that match a query, best first: by match kind, then similarity, chain and asset
 * key. Each match states the first kind that applies. Popularity does not count, because it can be
 * bought.
 *
 * ADDRESS and SYMBOL need equality. The similarity of a prefix is its share of the full length.
 * WORDS requires all query terms in the name. TRIGRAM is the Jaccard index of trigrams, at least
 * 0.3.
 *
 * @param query normalized
 */
export function search(catalogue: Catalogue, query: string): Match[] {
  return matchesOf(foldedOf(catalogue), query)
}

/** The same for other tokens. */
export const matchesIn = <Token extends SearchedToken>(
  tokens: readonly Token[],
  query: string,
): Match<Token>[] => matchesOf(tokens.map(foldedToken), query)

function matchesOf<Token extends SearchedToken>(
  tokens: readonly Folded<Token>[],
  query: string,
): Match<Token>[] {
  const requested = { query, words: wordsOf(query), triples: triplesOf(query) }
  const matches = tokens.flatMap((one): Match<Token>[] => {
    const found = matchOf(one, requested)
    return found ? [{ token: one.token, ...found }] : []
  })
  const rank = ({ matched }: Match<Token>) => matchKinds.indexOf(matched)
  return matches.sort(
    (a, b) =>
      rank(a) - rank(b) ||
      b.similarityPips - a.similarityPips ||
      a.token.chainId - b.token.chainId ||
      (a.token.assetKey < b.token.assetKey ? -1 : 1),
  )
}

interface SearchQuery {
  readonly query: string
  readonly words: ReadonlySet<string>
  readonly triples: ReadonlySet<string>
}

function matchOf(
  { token, symbol, name, words, triples }: Folded<SearchedToken>,
  requestedValue: SearchQuery,
): Omit<Match, 'token'> | null {
  const { query } = requestedValue
  if (query === token.address.toLowerCase() || query === token.assetKey) {
    return { matched: 'ADDRESS', similarityPips: whole }
  }
  if (query === symbol) return { matched: 'SYMBOL', similarityPips: whole }
  if (symbol.startsWith(query)) {
    return { matched: 'SYMBOL_PREFIX', similarityPips: pipsOf(query.length, symbol.length) }
  }
  if (name.startsWith(query)) {
    return { matched: 'NAME_PREFIX', similarityPips: pipsOf(query.length, name.length) }
  }
  if (requestedValue.words.size > 0 && requestedValue.words.isSubsetOf(words)) {
    return { matched: 'WORDS', similarityPips: pipsOf(requestedValue.words.size, words.size) }
  }
  const similarityPips = Math.max(...triples.map((own) => jaccardPips(requestedValue.triples, own)))
  return similarityPips >= minTrigramPips ? { matched: 'TRIGRAM', similarityPips } : null
}

function foldedOf(catalogue: Catalogue): readonly Folded[] {
  const known = folded.get(catalogue)
  if (known) return known
  const made = catalogue.tokens.map(foldedToken)
  folded.set(catalogue, made)
  return made
}

function foldedToken<Token extends SearchedToken>(token: Token): Folded<Token> {
  const [symbol, name] = [fold(token.symbol), fold(token.name)]
  const triples = [triplesOf(symbol), triplesOf(name)]
  return { token, symbol, name, words: wordsOf(name), triples }
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])

/** Trigrams of all words, padded with two spaces before and one after. */
function triplesOf(text: string): ReadonlySet<string> {
  const triples = new Set<string>()
  for (const word of wordsOf(text)) {
    const letters = [...`  ${word} `]
    for (let at = 0; at + 3 <= letters.length; at += 1) {
      triples.add(letters.slice(at, at + 3).join(''))
    }
  }
  return triples
}

function jaccardPips(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = a.intersection(b).size
  return common === 0 ? 0 : pipsOf(common, a.size + b.size - common)
}

/** Rounded down. */
const pipsOf = (part: number, all: number) => Math.floor((part * whole) / all)
