import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Desks } from './desks.jsx';
import './desks.css';

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <Desks />
  </StrictMode>,
);
