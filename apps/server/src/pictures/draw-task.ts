import { sha256Hex } from '@liquidity-os/evidence'
import { drawAbstained } from '../reports/pictures/abstained.ts'
import { allocationPictures } from '../reports/pictures/allocation/allocation-pictures.ts'
import type { DrawnPlan as DrawnAllocation } from '../reports/pictures/allocation/drawn.ts'
import { anomalyPictures } from '../reports/pictures/anomalies/anomaly-pictures.ts'
import type { DrawnAnomaly } from '../reports/pictures/anomalies/drawn-anomaly.ts'
import type { Attribution } from '../reports/pictures/attribution/attribution.ts'
import { drawFillStrip } from '../reports/pictures/attribution/fill-strip.ts'
import { drawMarkouts } from '../reports/pictures/attribution/markouts.ts'
import { drawSquareRoot } from '../reports/pictures/attribution/square-root.ts'
import { drawCostWaterfall } from '../reports/pictures/attribution/waterfall.ts'
import type { Drawing } from '../reports/pictures/drawing.ts'
import type { DrawnProgram } from '../reports/pictures/incentives/drawn-program.ts'
import { incentivePictures } from '../reports/pictures/incentives/incentive-pictures.ts'
import type { DrawnMarket } from '../reports/pictures/market-map/drawn-market.ts'
import { marketMapPictures } from '../reports/pictures/market-map/market-map-pictures.ts'
import type { DrawnPlan, DrawnState } from '../reports/pictures/migration/migration-course.ts'
import { picturesOfMigration } from '../reports/pictures/migration/pictures-of-migration.ts'
import { scorePictures } from '../reports/pictures/scores/score-pictures.ts'
import { pictureToSvg } from '../reports/pictures/svg.ts'
import { drawCoverage } from '../reports/pictures/venues/coverage.ts'
import type { DrawnVenue } from '../reports/pictures/venues/drawn-venue.ts'
import type { ScorePayload } from '../scores/active-score.ts'

/** What is drawn, as it travels to a thread: plain data only. */
export type PictureSubject =
  | { family: 'scores'; payload: ScorePayload }
  | { family: 'attributions'; payload: Attribution }
  | { family: 'anomalies'; payload: DrawnAnomaly }
  | { family: 'market-map'; payload: DrawnMarket }
  | { family: 'allocation-plans'; payload: DrawnAllocation['payload'] }
  | { family: 'migration-plans'; payload: DrawnPlan; state: DrawnState }
  | ({ family: 'incentive-programs' } & DrawnProgram)
  | { family: 'venues'; payload: DrawnVenue }

/** A picture with its table; the hash is that of the bytes that are served. */
export interface ServedPicture extends Pick<Drawing, 'columns' | 'rows'> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly svg: string
  readonly hash: string
}

/** Draws every picture of a subject. Pure: the same subject gives the same bytes. */
export default function drawPictures(subject: PictureSubject): ServedPicture[] {
  return drawingsOf(subject).map(({ picture, columns, rows }) => {
    const svg = pictureToSvg(picture)
    const { id: name, title, description } = picture
    return {
      name,
      title,
      description,
      svg,
      hash: `0x${sha256Hex(Buffer.from(svg))}`,
      columns,
      rows,
    }
  })
}

function drawingsOf(subject: PictureSubject): Drawing[] {
  switch (subject.family) {
    case 'scores':
      return orReasons(scorePictures(subject.payload), subject.payload)
    case 'attributions': {
      const { payload } = subject
      const draws = [drawCostWaterfall, drawFillStrip, drawSquareRoot, drawMarkouts]
      return orReasons(
        draws.map((draw) => draw(payload)),
        payload,
      )
    }
    case 'anomalies':
      return anomalyPictures(subject.payload)
    case 'market-map':
      return orReasons(marketMapPictures(subject.payload), subject.payload)
    case 'allocation-plans':
      return orReasons(allocationPictures(subject), subject.payload)
    case 'migration-plans':
      return picturesOfMigration(subject.payload, subject.state)
    case 'incentive-programs':
      return incentivePictures(subject)
    case 'venues':
      return [drawCoverage(subject.payload)]
  }
}

interface Judged {
  readonly state: string
  readonly reasons: readonly string[]
}

/** A record that abstains is drawn as such: every picture of it says why there is no number. */
function orReasons(drawings: readonly Drawing[], { state, reasons }: Judged): Drawing[] {
  if (state !== 'ABSTAINED') return [...drawings]
  return drawings.map(({ picture: { id, title } }) => drawAbstained({ id, title }, reasons))
}
