import { layout } from '@liquidity-os/drawing/layout'
import { pictureToSvg } from '@liquidity-os/drawing/svg'
import { darkTheme, lightTheme } from '@liquidity-os/drawing/theme'
import { useMemo, useRef } from 'react'
import type { MarketHistory } from '../api/markets.ts'
import { useIsDark } from '../shell/theme.tsx'
import { type MarketChart, marketCharts } from './market-charts.ts'
import type { MarketTokens } from './market-figures.tsx'
import styles from './pages.module.css'
import { DrawnFigure, useRequestedWidth } from './pictures.tsx'

/** The charts of a market. Loads the chart kit. */
export function HistoryCharts({
  history,
  tokens,
}: {
  history: MarketHistory
  tokens: MarketTokens
}) {
  const charts = useMemo(() => marketCharts(history, tokens), [history, tokens])
  return (
    <div className={styles.pictures}>
      {charts.map((chart) => (
        <HistoryChart key={chart.spec.id} chart={chart} />
      ))}
    </div>
  )
}

/** A chart that the browser draws. */
export function HistoryChart({ chart: { spec, table } }: { chart: MarketChart }) {
  const sheet = useRef<HTMLElement>(null)
  const width = useRequestedWidth(sheet)
  const isDark = useIsDark()
  const svg = useMemo(
    () =>
      width === null ? null : pictureToSvg(layout(spec, width, isDark ? darkTheme : lightTheme)),
    [spec, width, isDark],
  )
  const picture = useMemo(
    () => ({
      name: spec.id,
      title: spec.title,
      description: spec.summary,
      // The axis states the unit, so the readout fits a phone.
      labels: table.columns.map(({ label }) => label),
      table: {
        columns: table.columns.map(({ label, unit }) =>
          unit === '' ? label : `${label}, ${unit}`,
        ),
        rows: table.rows,
      },
    }),
    [spec, table],
  )
  return <DrawnFigure picture={picture} sheet={sheet} svg={svg} />
}
