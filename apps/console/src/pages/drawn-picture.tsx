import type { Spot } from '@liquidity-os/drawing/spots'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import styles from './pages.module.css'
import { isSpotKey, nearestSpot, spotAfter } from './spot-walk.ts'

/** A picture as it was drawn, and where the rows of its table stand, in units of its view box. */
export interface Drawn {
  readonly address: string
  /** Below this its letters are not read, pixels. */
  readonly minWidth: number
  readonly width: number
  readonly height: number
  readonly spots: readonly Spot[]
}

/**
 * A picture on its sheet, with the figures above it of the row that is pointed at: by the pointer, by arrows, or
 * kept by a click. One stop of the keyboard.
 *
 * @param read what is said of a row of the table
 * @param onTable when the table is asked for
 */
export function DrawnPicture({
  drawn,
  label,
  description,
  sheet,
  read,
  onTable,
}: {
  drawn: Drawn | null
  label: string
  description: string
  sheet: RefObject<HTMLElement | null>
  read: (row: number) => ReactNode
  onTable: () => void
}) {
  const [spot, setSpot] = useState<Spot | null>(null)
  const [isKept, setKept] = useState(false)
  const ring = useRef<HTMLSpanElement>(null)
  const isWalked = useRef(false)
  const hintId = useId()
  const spots = drawn?.spots ?? []
  // Another width has the same rows at other places.
  const shown = spot
    ? (spots.find(({ row, series }) => row === spot.row && series === spot.series) ?? null)
    : null
  const { x, y } = shown ?? {}
  useEffect(() => {
    // Whoever walks by keys follows; below a pointer nothing moves.
    if (isWalked.current && x !== undefined && y !== undefined)
      ring.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    isWalked.current = false
  }, [x, y])
  const image = drawn ? (
    <img src={drawn.address} alt={description} style={{ minWidth: drawn.minWidth }} />
  ) : null
  // Whoever watches the size of the sheet keeps the same one, whatever comes to lie on it.
  const plot = drawn && spots.length > 0 ? drawn : null
  const at = ({ currentTarget, clientX, clientY }: MouseEvent, { width, height }: Drawn) => {
    const box = currentTarget.getBoundingClientRect()
    return nearestSpot(spots, {
      x: ((clientX - box.left) / box.width) * width,
      y: ((clientY - box.top) / box.height) * height,
    })
  }
  /** A second click on what is kept lets it go. */
  const keep = (event: MouseEvent, on: Drawn) => {
    const next = at(event, on)
    const isSame = isKept && next?.row === shown?.row && next?.series === shown?.series
    setSpot(isSame ? null : next)
    setKept(!isSame)
  }
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { key } = event
    if (isSpotKey(key)) {
      isWalked.current = true
      setSpot(spotAfter(spots, shown, key))
      setKept(true)
    } else if (key === 'Escape' && shown) {
      setSpot(null)
      setKept(false)
    } else if (key.toLowerCase() === 't') onTable()
    else return
    event.preventDefault()
  }
  return (
    <>
      {plot ? (
        <div className={styles.readOut}>
          <span id={hintId} data-quiet={shown !== null}>
            Point at the picture, or use the arrow keys, for its figures; a click keeps them, T
            opens the table.
          </span>
          <output>
            {shown ? (
              <>
                <strong>{shown.series}</strong>
                {read(shown.row)}
              </>
            ) : null}
          </output>
        </div>
      ) : null}
      <section
        ref={sheet}
        className={styles.sheet}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard, and a plot walked by it
        tabIndex={0}
        aria-label={label}
        {...(plot
          ? {
              role: 'application',
              'aria-roledescription': 'chart',
              'aria-describedby': hintId,
              onKeyDown: press,
            }
          : {})}
      >
        {plot ? (
          // biome-ignore lint/a11y/noStaticElementInteractions: the section is what acts; this is its surface
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the section
          <div
            className={styles.drawn}
            style={{ minWidth: plot.minWidth }}
            onPointerMove={(event) => {
              if (!isKept && event.pointerType === 'mouse') setSpot(at(event, plot))
            }}
            onPointerLeave={(event) => {
              if (!isKept && event.pointerType === 'mouse') setSpot(null)
            }}
            onClick={(event) => keep(event, plot)}
          >
            {image}
            {shown ? (
              <span
                ref={ring}
                className={styles.ring}
                data-kept={isKept}
                style={{
                  insetInlineStart: `${(shown.x / plot.width) * 100}%`,
                  insetBlockStart: `${(shown.y / plot.height) * 100}%`,
                }}
              />
            ) : null}
          </div>
        ) : (
          image
        )}
      </section>
    </>
  )
}
