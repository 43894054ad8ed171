import { drawFigure, pictureToSvg } from '@liquidity-os/drawing'
import { parseStrict } from '@liquidity-os/evidence'
import type { ReportKind, Signed } from './verify-report.ts'

/**
 * Every figure of a report as a standalone image.
 *
 * @param body a verified signed body, so its names come only from the service
 */
export function picturesOf<Report extends Signed>(
  body: Uint8Array,
  kinds: readonly ReportKind<Report>[],
): { id: string; svg: string }[] {
  const report = parseStrict(body) as Report
  const kind = kinds.find(({ schemaVersion }) => schemaVersion === report.schemaVersion)
  if (!kind) throw new Error(`The report format ${report.schemaVersion} was not verified.`)
  const terms = kind.terms(report)
  return report.figures.map((figure) => ({
    id: fileNameOf(figure.id),
    svg: pictureToSvg(drawFigure(figure, terms)),
  }))
}

/** Sanitizes the file name against path traversal: a report's signer can choose the id. */
const fileNameOf = (id: string) => id.replaceAll(/[^a-z0-9.-]/g, '-').replace(/^\.+/, '')
