import type { contract } from '@liquidity-os/contract'
import { escapeXml } from '@liquidity-os/drawing/markup'
import { decimalText } from '../../../reports/cell-text.ts'
import { type Band, passportPage, rowsToHtml } from './rendering/page.ts'
import { type Pair, quoteWords, timeWords } from './rendering/words.ts'

type View = contract.PublicLiquidityPassport

const stateWords: Readonly<Record<View['state'], string>> = {
  CURRENT: 'Current',
  REVOKED: 'Revoked: do not rely on it',
  EXPIRED: 'Expired',
  STALE_CONTROL: 'Stale: control of the vault has changed since issue',
  STALE_SCORE: 'Stale: market quality is rated lower than at issue, or no longer rated',
}

const formatWords = {
  json: 'signed payload (JSON)',
  html: 'page',
  pdf: 'PDF',
  csv: 'tables (CSV)',
  svg: 'badge (SVG)',
  png: 'badge (PNG)',
} as const

/**
 * Public page for investors: current state, claims, and instructions for verification.
 *
 * @param brandHost verified host of the brand's partner
 */
export function publicPage(
  view: View,
  vault: contract.QualifiedVault,
  { url, brandHost }: { readonly url: string; readonly brandHost: string | null },
): string {
  const { passport, slug } = view
  return passportPage(passport ?? null, vault.pair, {
    brandHost,
    title: passport?.issuerName ?? slug,
    subtitle: slug,
    band: bandOf(view),
    simulated: view.simulated,
    after: [
      ...executions(view),
      ...ownedLiquidity(view, vault.pair),
      ...checking(view, url),
      ...history(view),
      ...files(view, url),
    ],
  })
}

function bandOf({ state, passport, revocation, publishedAt }: View): Band {
  const words = stateWords[state]
  const published = `Published ${timeWords(publishedAt)}.`
  if (state === 'REVOKED' && revocation) {
    const why = revocation.code.toLowerCase().replaceAll('_', ' ')
    return { css: state, words, detail: `${timeWords(revocation.revokedAt)}: ${why}. ${published}` }
  }
  const until = passport ? ` Valid until ${timeWords(passport.validUntil)}.` : ''
  return { css: state, words, detail: `${published}${until}` }
}

/** Number of executions behind the compliance claim; absent in passports of earlier releases. */
function executions({ executions: evaluated }: View): string[] {
  if (evaluated === null) return []
  return [
    '<h2>Policy compliance of executions, 90 days before issue</h2>',
    rowsToHtml(
      [
        ['Compliant', `${evaluated.compliant}`],
        ['Violating', `${evaluated.violating}`],
        ['Inconclusive', `${evaluated.indeterminate}`],
      ],
      'small',
    ),
  ]
}

/** Own liquidity by kind, with the proofs; absent if withheld or in passports of earlier releases. */
function ownedLiquidity({ ownedLiquidity: owned }: View, pair: Pair): string[] {
  if (owned === null) return []
  const { positions, quoteBalances, ownTokens } = owned
  const base = (atoms: string) => `${decimalText(BigInt(atoms), pair.baseDecimals)} own tokens`
  const sale =
    ownTokens.realizableQuote === null
      ? 'the market cannot take them in one sale'
      : `${quoteWords(ownTokens.realizableQuote, pair)} in one sale`
  return [
    '<h2>Own liquidity by kind, at issue</h2>',
    rowsToHtml(
      [
        [
          'Liquidity positions',
          `${quoteWords(positions.quote, pair)}, and ${base(positions.base)} counted at zero`,
        ],
        ['Proof of positions', proofWords(positions.proofs)],
        ['Quote balances', quoteWords(quoteBalances.quote, pair)],
        ['Proof of quote balances', proofWords(quoteBalances.proofs)],
        ['Own tokens outside positions', `${base(ownTokens.base)}: ${sale}`],
        ['Proof of own tokens', proofWords(ownTokens.proofs)],
      ],
      'small',
    ),
    '<p>Do not add these figures: own positions pay part of a sale of own tokens.</p>',
  ]
}

const proofWords = (proofs: contract.OwnedLiquidity['positions']['proofs']): string =>
  proofs.length === 0
    ? 'none'
    : proofs
        .map(
          ({ entry, evidence, until }) =>
            `entry ${entry.id}, evidence ${evidence.id} until ${until}`,
        )
        .join('; ')

function checking({ keys, contentHash, log, slug }: View, url: string): string[] {
  const authority =
    keys.issuer.authority === 'SAFE_AUTHORIZED'
      ? 'The vault owners signed for this key.'
      : 'The organization registered this key. Get its fingerprint from the issuer through another channel.'
  return [
    '<h2>Verification</h2>',
    `<p><a href="${escapeXml(url)}/verification-bundle">The bundle</a> holds everything. <a href="${escapeXml(new URL('/verify.html', url).href)}">A page checks it in your browser</a>: a single file that works offline. A program without dependencies does the same:</p>`,
    `<pre>curl -O ${escapeXml(url)}/verification-bundle\nnode verify.mjs verification-bundle --issuer-key ${keys.issuer.fingerprint}</pre>`,
    `<p>Take page or program from the source of Liquidity OS rather than from here, and the fingerprint from ${escapeXml(slug)} itself. ${authority}</p>`,
    rowsToHtml(
      [
        ['Issuer fingerprint', keys.issuer.fingerprint],
        ['Service fingerprint', keys.service.fingerprint],
        ['Content hash', contentHash],
        [
          'Proof log',
          log
            ? `leaf ${log.leafIndex} of ${log.treeSize}, root ${log.rootHash}`
            : 'not yet covered by a checkpoint',
        ],
      ],
      'small',
    ),
  ]
}

function history({ history: past }: View): string[] {
  const rows = past.map(({ contentHash, publishedAt, state }): [string, string] => [
    `${timeWords(publishedAt)}: ${state.toLowerCase()}`,
    contentHash,
  ])
  return ['<h2>Publication history</h2>', rowsToHtml(rows, 'small')]
}

function files({ formats, state }: View, url: string): string[] {
  const ready = formats.filter(
    ({ format, ready: isReady }) =>
      (isReady || format === 'json') &&
      (state !== 'REVOKED' || format === 'svg' || format === 'png'),
  )
  if (ready.length === 0) return []
  const links = ready.map(
    ({ format }) =>
      `<li><a href="${escapeXml(`${url}/formats/${format}`)}">${formatWords[format]}</a></li>`,
  )
  return ['<h2>Downloads</h2>', `<ul>${links.join('\n')}</ul>`]
}
