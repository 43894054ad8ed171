import { sha256Hex } from '@liquidity-os/evidence'
import { anomalyPictures } from '../families/intelligence/anomalies/pictures/anomaly-pictures.ts'
import type { DrawnAnomaly } from '../families/intelligence/anomalies/pictures/drawn-anomaly.ts'
import type { Attribution } from '../families/intelligence/attributions/pictures/attribution.ts'
import { drawFillStrip } from '../families/intelligence/attributions/pictures/fill-strip.ts'
import { drawMarkouts } from '../families/intelligence/attributions/pictures/markouts.ts'
import { drawSquareRoot } from '../families/intelligence/attributions/pictures/square-root.ts'
import { drawCostWaterfall } from '../families/intelligence/attributions/pictures/waterfall.ts'
import type { DrawnMarket } from '../families/intelligence/market-map/pictures/drawn-market.ts'
import { marketMapPictures } from '../families/intelligence/market-map/pictures/market-map-pictures.ts'
import type { ScorePayload } from '../families/intelligence/scores/active-score.ts'
import { scorePictures } from '../families/intelligence/scores/pictures/score-pictures.ts'
import { drawCoverage } from '../families/intelligence/venues/pictures/coverage.ts'
import type { DrawnVenue } from '../families/intelligence/venues/pictures/drawn-venue.ts'
import type { DrawnProgram } from '../families/operate/incentive-programs/pictures/drawn-program.ts'
import { incentivePictures } from '../families/operate/incentive-programs/pictures/incentive-pictures.ts'
import type {
  DrawnPlan,
  DrawnState,
} from '../families/operate/migration-plans/pictures/migration-course.ts'
import { picturesOfMigration } from '../families/operate/migration-plans/pictures/pictures-of-migration.ts'
import { allocationPictures } from '../families/plan/allocation-plans/pictures/allocation-pictures.ts'
import type { DrawnPlan as DrawnAllocation } from '../families/plan/allocation-plans/pictures/drawn.ts'
import { drawAbstained } from './abstained.ts'
import type { Drawing } from './drawing.ts'
import { pictureToSvg } from './svg.ts'

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
