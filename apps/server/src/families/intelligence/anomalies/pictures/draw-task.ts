export { anomalyPictures as default } from './anomaly-pictures.ts'
