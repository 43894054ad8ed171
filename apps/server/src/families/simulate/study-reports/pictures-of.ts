import { drawFigure, pictureToSvg } from '@liquidity-os/drawing'
import { parseStrict } from '@liquidity-os/evidence'
import type { ReportKind, Signed } from './verify-report.ts'

/**
 * Every figure of a report as a picture that stands by itself.
 *
 * @param body a signed body that was verified: its names are then those that the service writes
 */
export function picturesOf<Report extends Signed>(
  body: Uint8Array,
  kinds: readonly ReportKind<Report>[],
): { id: string; svg: string }[] {
  const report = parseStrict(body) as Report
  const kind = kinds.find(({ schemaVersion }) => schemaVersion === report.schemaVersion)
  if (!kind) throw new Error(`A report of the form ${report.schemaVersion} was not verified.`)
  const terms = kind.terms(report)
  return report.figures.map((figure) => ({
    id: fileNameOf(figure.id),
    svg: pictureToSvg(drawFigure(figure, terms)),
  }))
}

/** A name that leads nowhere else; whoever signed a report may have chosen it. */
const fileNameOf = (id: string) => id.replaceAll(/[^a-z0-9.-]/g, '-').replace(/^\.+/, '')
