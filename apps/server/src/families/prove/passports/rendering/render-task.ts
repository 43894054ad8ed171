import { simulatedText } from '@liquidity-os/contract/test-networks'
import { ink } from '@liquidity-os/drawing'
import { drawPicture, pdfFonts } from '@liquidity-os/drawing/pdf'
import { pairsTable, tablesToCsv } from '../../../../reports/csv.ts'
import { paperOf } from '../../../../reports/paper.ts'
import { textWidth } from '../../../../reports/pdf-sheet.ts'
import { simulatedFacts } from '../../../../reports/simulated.ts'
import { badgePng, badgeSvg, variants } from './badge.ts'
import { depthPicture } from './depth-chart.ts'
import { passportPage, rowsToHtml } from './page.ts'
import {
  brandWords,
  claimRows,
  type Pair,
  type Payload,
  simulatedOf,
  sourceRows,
  timeWords,
} from './words.ts'

/** A passport to render, with the decimals of its pair. */
export interface RenderTask {
  readonly payload: Payload
  readonly pair: Pair
  /** Verified host of the brand's partner; null without a brand. */
  readonly brandHost: string | null
}

export interface RenderedFile {
  readonly format: 'html' | 'pdf' | 'csv' | 'svg' | 'png'
  /** `document`, or the state on a badge. */
  readonly variant: string
  readonly mediaType: string
  readonly content: Uint8Array
}

/**
 * All renderings of a passport except the payload. Pure: the same passport gives the same bytes.
 */
export default async function renderPassport(task: RenderTask): Promise<RenderedFile[]> {
  const { payload } = task
  const isSimulated = simulatedOf(payload) !== null
  const document = (format: 'html' | 'pdf' | 'csv', mediaType: string, content: Uint8Array) => ({
    format,
    variant: 'document',
    mediaType,
    content,
  })
  return [
    document('html', 'text/html; charset=utf-8', Buffer.from(htmlOf(task))),
    document('pdf', 'application/pdf', await pdfOf(task)),
    document('csv', 'text/csv; charset=utf-8', Buffer.from(csvOf(task))),
    ...(payload.artifactRendererVersion === 'liquidity-passport-artifacts-v2'
      ? variants.flatMap((variant): RenderedFile[] => [
          {
            format: 'svg',
            variant,
            mediaType: 'image/svg+xml; charset=utf-8',
            content: Buffer.from(badgeSvg(payload.slug, variant, isSimulated)),
          },
          {
            format: 'png',
            variant,
            mediaType: 'image/png',
            content: badgePng(variant, isSimulated),
          },
        ])
      : []),
  ]
}

function htmlOf({ payload, pair, brandHost }: RenderTask): string {
  return passportPage(payload, pair, {
    brandHost,
    title: payload.issuerName,
    subtitle: payload.slug,
    band: {
      css: 'ISSUED',
      words: `Issued ${timeWords(payload.generatedAt)}`,
      detail: `Valid until ${timeWords(payload.validUntil)} unless revoked. This file cannot show a revocation.`,
    },
    simulated: simulatedOf(payload),
    after: ['<h2>Verification</h2>', rowsToHtml(proofRows(payload), 'small')],
  })
}

const proofRows = ({ contentHash, signature, signerProviderId }: Payload): [string, string][] => [
  ['Content hash', contentHash],
  ['Signed by', signerProviderId],
  ['Signature', signature],
]

function pdfOf({ payload, pair, brandHost }: RenderTask): Promise<Uint8Array> {
  const about = {
    title: `${payload.issuerName}: liquidity passport`,
    contentHash: payload.contentHash,
    date: new Date(payload.generatedAt),
  }
  const picture = depthPicture(payload, pair)
  const scale = Math.min(1.2, textWidth / picture.width)
  return paperOf(about, (sheet) => {
    sheet.text('Liquidity passport', { color: ink.faint, after: 2 })
    sheet.text(payload.issuerName, { size: 17, font: pdfFonts.bold, after: 6, tag: 'H1' })
    sheet.text(
      `Issued ${timeWords(payload.generatedAt)}, valid until ${timeWords(payload.validUntil)} unless revoked. A printed copy cannot show a revocation.`,
      { size: 9, after: 8 },
    )
    const simulated = simulatedOf(payload)
    if (simulated) sheet.text(simulatedText(simulated), { font: pdfFonts.bold, after: 8 })
    if (payload.reportBrand) {
      sheet.text(brandWords(payload.reportBrand, brandHost), { size: 9, after: 8 })
    }
    sheet.heading(picture.title)
    sheet.figure(`${picture.title}. ${picture.description}`, picture.height * scale, (place) =>
      drawPicture(sheet.document, picture, place, scale),
    )
    const columns = (...heads: string[]) =>
      heads.map((heading) => ({ heading, isNumeric: false, isHash: false }))
    sheet.table('Claims of the issuer', columns('claim', 'value'), claimRows(payload, pair))
    sheet.table('Sources', columns('source', 'generation'), [
      ...sourceRows(payload),
      ...proofRows(payload),
    ])
  })
}

/** CSV with exact figures in atoms, for further computation. */
function csvOf({ payload }: RenderTask): string {
  const { usableDepthByTradeSize, sourceBindings, policyLimits, incidentDetails, ...rest } = payload
  const plain = Object.entries(rest).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? [[name, JSON.stringify(value)]]
      : [[name, value === null ? '' : String(value)]],
  )
  return tablesToCsv([
    pairsTable('passport', [...simulatedFacts(simulatedOf(payload)), ...plain]),
    {
      id: 'depth',
      columns: [
        { name: 'size', unit: 'QUOTE_ATOMS' },
        { name: 'buying', unit: 'PIPS' },
        { name: 'selling', unit: 'PIPS' },
      ],
      rows: usableDepthByTradeSize.map((row) => [
        ...[row.tradeSizeQuote, row.buySlippagePips, row.sellSlippagePips],
      ]),
    },
    pairsTable('limits', policyLimits ? pairsOf(policyLimits) : []),
    pairsTable(
      'incidents',
      (incidentDetails?.anomalies ?? []).map(
        (one) => [one.artifactHash, `${one.severity} ${one.kind}`] as const,
      ),
    ),
    pairsTable('sources', pairsOf(sourceBindings)),
  ])
}

const pairsOf = (members: object): [string, string][] =>
  Object.entries(members).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
