import xml.dom
