export { portico as default } from './start.tsx';
